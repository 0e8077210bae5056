package views

import (
	"maps"
	"slices"

	"github.com/a-h/templ"

	"madang/store"
)

// field is one labelled input of a form. Its name is the form value's and,
// without one of its own, the element's id.
type field struct {
	Name         string
	ID           string // where a page has several fields of that name
	Value        string
	Type         string // of the input
	Autocomplete string
	Inputmode    string
	Hint         string // catalogue key; "" for none
	// Words, when set, is the field's name in the catalogue, where it differs.
	Words string
	Label string // catalogue key, where that of the name does not fit
	Rows  string // of a text area
}

func (f field) words() string {
	if f.Words != "" {
		return f.Words
	}
	return f.Name
}

func (f field) label() string {
	if f.Label != "" {
		return f.Label
	}
	return "field." + f.words()
}

func (f field) id() string {
	if f.ID != "" {
		return f.ID
	}
	return f.Name
}

func (f field) hintID() string    { return f.id() + "-hint" }
func (f field) problemID() string { return f.id() + "-problem" }

// problem says what is wrong with a field, "" when it is fine.
func (p Page) problem(f field) string {
	problem, ok := p.Problems[f.Name]
	if !ok {
		return ""
	}
	return p.Lang.Problem(f.words(), problem)
}

// describedBy names the elements that explain a field: first what is wrong.
func (p Page) describedBy(f field) string {
	problem, hint := p.problem(f) != "", f.Hint != ""
	switch {
	case problem && hint:
		return f.problemID() + " " + f.hintID()
	case problem:
		return f.problemID()
	case hint:
		return f.hintID()
	}
	return ""
}

// complaint is one line of the summary above a form.
type complaint struct {
	Href  string // of the field; "" when the form has none
	Words string
}

// complaints lists what is wrong in the order of the form's fields, then what
// belongs to none of them and leads to the first.
func (p Page) complaints(fields []field) []complaint {
	var list []complaint
	rest := maps.Clone(p.Problems)
	for _, f := range fields {
		if words := p.problem(f); words != "" {
			list = append(list, complaint{Href: "#" + f.id(), Words: words})
			delete(rest, f.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		href := ""
		if len(fields) > 0 {
			href = "#" + fields[0].id()
		}
		list = append(list, complaint{Href: href, Words: p.Lang.Problem(name, rest[name])})
	}
	return list
}

// of is the page as one of its forms sees it: the problems are those of the form
// that failed.
func (p Page) of(form, failed string) Page {
	if form != failed {
		p.Problems = nil
	}
	return p
}

// The fields of the forms, so that a form and its summary agree.

func emailField(value, autocomplete string) field {
	return field{Name: "email", Value: value, Type: "email", Autocomplete: autocomplete, Inputmode: "email"}
}

func nicknameField(value string) field {
	return field{Name: "nickname", Value: value, Type: "text", Autocomplete: "nickname", Hint: "hint.nickname"}
}

func passwordField(autocomplete, hint string) field {
	return field{Name: "password", Type: "password", Autocomplete: autocomplete, Hint: hint}
}

func (p SignupPage) fields() []field {
	name := field{Name: "name", Value: p.Name, Type: "text", Autocomplete: "name", Hint: "hint.name"}
	return []field{
		emailField(p.Email, "username"), nicknameField(p.Nickname), name, passwordField("new-password", "hint.password"),
	}
}

func (p LoginPage) fields() []field {
	return []field{emailField(p.Email, "username"), passwordField("current-password", "")}
}

func (p PostFormPage) fields() []field {
	return []field{
		{Name: "title", Value: p.Title, Type: "text", Autocomplete: "off"},
		{Name: "body", Value: p.Body, Hint: "hint.markdown", Rows: "16"},
	}
}

func commentField(body, rows string) field {
	return field{Name: "body", Value: body, Words: "comment", Rows: rows}
}

// codeFields ask for the code of the mail, and for another nickname after a clash.
func (p PendingPage) codeFields() []field {
	code := field{
		Name: "code", Value: p.Code, Type: "text", Autocomplete: "one-time-code", Inputmode: "numeric", Hint: "hint.code",
	}
	if p.AskNickname {
		return []field{nicknameField(p.Nickname), code}
	}
	return []field{code}
}

// typed is the address field of the form of that name, filled only when that
// form failed.
func (p PendingPage) typed(form string) field {
	value := ""
	if p.Form == form {
		value = p.Email
	}
	return emailField(value, "email")
}

// failed lists the fields of the form that failed, for the summary. The form
// that sends again has none.
func (p PendingPage) failed() []field {
	switch p.Form {
	case "code":
		return p.codeFields()
	case "email":
		return []field{p.typed("email")}
	}
	return nil
}

func (p VerifyPage) fields() []field {
	var list []field
	if p.AskPassword {
		list = append(list, passwordField("current-password", ""))
	}
	if p.AskNickname {
		list = append(list, nicknameField(p.Nickname))
	}
	return list
}

// stateKey is the catalogue key of a state of a link.
func (p VerifyPage) stateKey(part string) string { return "verify." + string(p.State) + "." + part }

// address fills the form that asks for another link, in the browser that
// signed up only: any other knows no more than a masked one.
func (p VerifyPage) address() string {
	if p.AskPassword {
		return ""
	}
	return p.Email
}

// deliveryKey is the catalogue key of a state of a mail.
func deliveryKey(d store.Delivery) string { return "delivery." + string(d) }

// attributes are what every kind of field carries.
func (p Page) attributes(f field) templ.OrderedAttributes {
	attrs := templ.OrderedAttributes{{Key: "id", Value: f.id()}, {Key: "name", Value: f.Name}}
	if f.Autocomplete != "" {
		attrs = append(attrs, templ.KeyValue[string, any]{Key: "autocomplete", Value: f.Autocomplete})
	}
	if f.Inputmode != "" {
		attrs = append(attrs, templ.KeyValue[string, any]{Key: "inputmode", Value: f.Inputmode})
	}
	if ids := p.describedBy(f); ids != "" {
		attrs = append(attrs, templ.KeyValue[string, any]{Key: "aria-describedby", Value: ids})
	}
	if p.problem(f) != "" {
		attrs = append(attrs, templ.KeyValue[string, any]{Key: "aria-invalid", Value: "true"})
	}
	return attrs
}
