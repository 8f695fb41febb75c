/** The `.yolofs.toml` that `init` writes: every setting, as a comment. */
export const CONFIG_TEMPLATE = `# yolofs: how sessions in this directory behave. Every setting is optional; the values shown are the defaults.
# A project's file can only tighten: what is marked with (*) counts in your own file, ~/.config/yolofs/config.toml, only.

[session]
# (*) Paths that are passed straight through to the real files: changes there are immediate and never staged, and rules do not
# reach them.
# direct = []                # for example ["~/.cache/example", "/run/user/1000/bus"]

# Take a snapshot after every command that changed something; false: (*).
# auto_snapshot = true

# What fsync(2) in the view is worth: "full" survives a power cut, "process" (*) the death of any process.
# durability = "full"

# What the contents of changed files may occupy, of all generations together: a command that writes more gets
# "no space left on device". 'yolofs gc' makes room.
# quota = "none"             # for example "2 GiB": what is staged, with its records

# "none": commands have no network but a loopback device of their own.
# network = "host"

[limits]
# What commands in the view may use, each process of its own but for 'processes' (in the session; not of root).
# memory = "4 GiB"           # heap, stack and private mappings
# processes = 2000
# open_files = 4096
# cpu_time = 3600            # seconds
# file_size = "10 GiB"
# tmp = "2 GiB"              # what may be in the view's /tmp, which then lies in memory (half of it at most), and is empty whenever the
                             # daemon starts anew

[daemon]
# Minutes without a command after which the daemon ends by itself; nothing is lost then. 0 = never.
# idle_minutes = 30

[ask]
# How long a question waits for an answer ('yolofs watch', or the terminal of 'run'); "none": until there is one.
# timeout = "60 s"
# What becomes of what nobody answers: "deny" or "allow" (*).
# default = "deny"

[rules]
# What commands in the view may do with paths, on top of the built-in rules and of ~/.config/yolofs/config.toml; the nearest
# rule counts for what is below it. A project's file can only tighten: "ask" (before it is read or changed), "ask-write",
# "ask-read" (never changed), "read-only", "deny", "hidden". 'yolofs rule list' shows all of them, 'yolofs rule explain PATH' which counts.
# For example, relative to this directory, or a glob:
#   "secrets" = "deny"
#   "**/*.pem" = "deny"
#   "~/mail" = "hidden"
`;
