package main

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// commands is the command line of madang: one field for each command.
type commands struct {
	Serve   serveCmd   `cmd:"" help:"Run the board."`
	Admin   adminCmd   `cmd:"" help:"Work with administrators."`
	Seed    seedCmd    `cmd:"" help:"Fill an empty database with members, posts and comments to look at."`
	Jobs    jobsCmd    `cmd:"" help:"Look after jobs: mails to be sent, views to be counted."`
	Mail    mailCmd    `cmd:"" help:"Look after mail."`
	Migrate migrateCmd `cmd:"" help:"Look after the schema of the database; move a board to PostgreSQL."`
	Backup  backupCmd  `cmd:"" help:"Copy the board, which may be running, into one file."`
	Restore restoreCmd `cmd:"" help:"Put a backup into the place of the board, which must not be running."`
	Metrics metricsCmd `cmd:"" help:"Look after the figures that a Prometheus asks for."`
	Bench   benchCmd   `cmd:"" help:"Measure the board on this machine, on a throw-away database."`
	Version versionCmd `cmd:"" help:"Print the version."`

	Healthcheck healthcheckCmd `cmd:"" help:"Ask the running board whether it is ready; the exit status is 0 when it is, else 1."`
}

// serveCmd holds the settings of the running board.
type serveCmd struct {
	storage     `embed:""`
	whereabouts `embed:""`
	outgoing    `embed:""`

	MailWorkers workerCount `default:"5" placeholder:"N" help:"Workers that send mail."`
	DevMail     bool        `help:"Open the built-in mailbox, with everybody's links and codes, although the board is not on a loopback address."`

	ViewWorkers    workerCount `default:"2" placeholder:"N" help:"Workers that count views."`
	TrustedProxies proxies     `placeholder:"CIDR,…" help:"Proxies whose X-Forwarded-For and X-Forwarded-Proto count."`
	RateLimits     string      `enum:"on,off" default:"on" help:"off lifts every limit in time, for load tests."`
	HashSlots      workerCount `default:"${cores}" placeholder:"N" help:"Passwords hashed at once. Default: the number of cores."`
	CleanupAt      cronSpec    `default:"0 0 3 * * *" placeholder:"CRON" help:"When to delete what has expired; cron with seconds."`
	Timezone       timezone    `default:"UTC" placeholder:"ZONE" help:"Time zone of schedules, days and shown dates."`

	ownBackups `embed:""`

	MetricsAddr address `placeholder:"HOST:PORT" help:"Second listen address, for a Prometheus that asks for /metrics; keep it from everybody else. Default: none, and nothing is counted."`

	DrainDelay pause `default:"0s" placeholder:"TIME" help:"How long /readyz says no before the listener closes when the board stops: behind a proxy more than the time between two of its looks."`

	LogFormat string `enum:"auto,text,json" default:"auto" help:"text, json, or auto: text on a terminal, else json."`
	LogLevel  string `enum:"debug,info,warn,error" default:"info" help:"debug, info, warn or error."`
}

// whereabouts holds the settings that say where the board is.
type whereabouts struct {
	Addr    address   `default:"localhost:8080" placeholder:"HOST:PORT" help:"Listen address."`
	BaseURL publicURL `placeholder:"URL" help:"Public address, from which every link is built; may hold a path prefix. Default: http:// and the listen address."`
}

// outgoing holds the settings that say how mail goes out.
type outgoing struct {
	SMTPURL  mailServer `name:"smtp-url" secret:"" placeholder:"URL" help:"Mail server, smtp://USER:PASSWORD@HOST:587?tls=starttls, smtps://… or smtp://HOST:25?tls=none. Default: mail goes to the built-in mailbox at /dev/mail."`
	MailFrom sender     `placeholder:"ADDRESS" help:"Sender of mails. Default: Madang <no-reply@HOST>."`
}

// storage holds the settings that say where the board keeps its state.
type storage struct {
	Data     directory `default:"./data" placeholder:"DIR" help:"Directory of all state; made when missing."`
	Database database  `secret:"" placeholder:"FILE" help:"SQLite file, or postgres://USER:PASSWORD@HOST:5432/NAME; better given as MADANG_DATABASE_FILE when it holds a password. Default: madang.db in the data directory."`
	Secret   secretKey `secret:"" placeholder:"HEX" help:"Secret of the board, 64 hexadecimal digits; better given as MADANG_SECRET_FILE. Default: secret.key in the data directory, made when missing."`
}

// errHelp says that help was asked for and has been printed.
var errHelp = errors.New("help was printed")

// parse reads the command line and the environment. An error fits on one line
// and names the flag or variable at fault and what is allowed.
func parse(args, environ []string, s streams) (*kong.Context, error) {
	helped := false
	parser, err := kong.New(&commands{},
		kong.Name("madang"),
		kong.Description("Madang is a community board: one program, one directory."),
		kong.Vars{"cores": strconv.Itoa(runtime.GOMAXPROCS(0))},
		kong.Writers(s.out, s.err),
		kong.Exit(func(int) { helped = true }),
		kong.ValueFormatter(helpWithVariable),
		kong.Resolvers(ourEnvironment(environ)),
	)
	if err != nil {
		return nil, fmt.Errorf("build the command line: %w", err)
	}
	command, err := parser.Parse(args)
	if helped {
		return nil, errHelp
	}
	if err != nil {
		return nil, refusal(err)
	}
	return command, nil
}

// leadingFlag is how kong's errors about the value of a flag begin.
var leadingFlag = regexp.MustCompile(`^--([a-z-]+):? `)

// refusal words an error of kong: a bad value names the variable beside the
// flag, and what is unknown is answered with what there is.
func refusal(err error) error {
	text := strings.ReplaceAll(err.Error(), "\n", " ")
	var failed *kong.ParseError
	if found := leadingFlag.FindStringSubmatch(text); found != nil {
		name, words := found[1], text[len(found[0]):]
		if errors.As(err, &failed) && isLocal(failed.Context, name) {
			return fmt.Errorf("--%s: %s", name, valueWords(words))
		}
		return badSetting(name, words)
	}
	unknown, _, _ := strings.Cut(text, ", did you mean")
	switch {
	case !errors.As(err, &failed):
		return err
	case strings.HasPrefix(text, "unknown flag"):
		return fmt.Errorf("%s; allowed are %s", unknown, strings.Join(flagNames(failed.Context), ", "))
	case strings.HasPrefix(text, "unexpected argument"):
		return fmt.Errorf("%s; allowed are %s", unknown, strings.Join(argumentNames(failed.Context), ", "))
	}
	return errors.New(text)
}

// badSetting returns the error of a setting that cannot be taken as it is.
func badSetting(name, words string) error {
	return fmt.Errorf("--%s (%s): %s", name, variable(name), valueWords(words))
}

// valueWords says of a missing value what is missing.
func valueWords(words string) string {
	if strings.HasSuffix(words, `"EOL" (<EOL>)`) {
		return "a value must follow it"
	}
	return words
}

// isLocal tells a flag that is no setting of the board.
func isLocal(c *kong.Context, name string) bool {
	return slices.ContainsFunc(c.Flags(), func(f *kong.Flag) bool { return f.Name == name && !isSetting(f.Value) })
}

func flagNames(c *kong.Context) []string {
	var names []string
	for _, flag := range c.Flags() {
		names = append(names, "--"+flag.Name)
	}
	return names
}

// argumentNames lists what may stand in the place of an argument.
func argumentNames(c *kong.Context) []string {
	node := c.Model.Node
	if c.Selected() != nil {
		node = c.Selected()
	}
	if node.Parent != nil && node.Parent.DefaultCmd == node {
		node = node.Parent // which was not asked for by its name
	}
	names := []string{"flags"}
	for _, child := range node.Children {
		names = append(names, child.Name)
	}
	return names
}

// helpWithVariable writes the help of a flag with its default and variable.
func helpWithVariable(value *kong.Value) string {
	help := value.Help
	if value.HasDefault && !strings.Contains(help, "Default:") {
		help += " Default: " + value.Default + "."
	}
	if !isSetting(value) {
		return help
	}
	return help + " ($" + variable(value.Name) + ")"
}
