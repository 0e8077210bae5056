package store

import (
	"context"
	"errors"
)

// nameMax is the length of a name in characters.
const nameMax = 50

// person is somebody's details, cleaned: what a sign-up and a
// member have in common.
type person struct {
	email, emailKey       string
	name                  string
	nickname, nicknameKey string
	hash                  string // of the password, once it is made
	forAdmin              bool   // the password would do for an administrator
}

// details is what somebody types of themselves.
type details struct {
	email, name, nickname, password string
	role                            Role // that the account is to have
}

// clean returns *InvalidError for fields that cannot be taken.
func (d details) clean() (person, error) {
	var p person
	problems := map[string]Problem{}
	note := func(field string, problem Problem) {
		if problem != "" {
			problems[field] = problem
		}
	}
	var problem Problem
	p.email, p.emailKey, problem = cleanEmail(d.email)
	note("email", problem)
	p.name, problem = cleanLine(d.name, nameMax)
	if problem == "" && hidesCharacters(p.name) {
		problem = Malformed
	}
	note("name", problem)
	p.nickname, p.nicknameKey, problem = cleanNickname(d.nickname)
	note("nickname", problem)
	note("password", newPasswordProblem(d.password, d.role, d.email, d.nickname, d.name))
	p.forAdmin = forAdmin(d.password, d.email, d.nickname, d.name)
	if len(problems) > 0 {
		return person{}, &InvalidError{Fields: problems}
	}
	return p, nil
}

// newPerson cleans the details and refuses a nickname that is taken. The
// password is hashed next: nothing invalid ever is.
func (s *Store) newPerson(ctx context.Context, d details) (person, error) {
	p, err := d.clean()
	if err != nil {
		return person{}, err
	}
	_, err = userByNickname(ctx, s.readers, p.nicknameKey)
	return p, free("nickname", err)
}

// free returns *InvalidError for a field whose owner was found, nil when the
// look-up ended with ErrNotFound.
func free(field string, lookUp error) error {
	switch {
	case lookUp == nil:
		return &InvalidError{Fields: map[string]Problem{field: Taken}}
	case !errors.Is(lookUp, ErrNotFound):
		return lookUp
	}
	return nil
}
