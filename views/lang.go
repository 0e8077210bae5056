package views

// Lang is a language of the site.
type Lang string

// The languages.
const (
	Korean  Lang = "ko"
	English Lang = "en"
)

// LangOf returns the language of that name, English for an unknown one.
func LangOf(name string) Lang {
	if Lang(name) == Korean {
		return Korean
	}
	return English
}
