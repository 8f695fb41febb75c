/**
 * Where tools keep secrets, by what they are for. `deny`: nothing in the view reads it, and nobody is asked. The home directory is asked
 * about anyway (defaults.ts); what is here is what no question should be about, or what lies where tools read freely. A glob for names
 * anywhere is for names that stand for a secret wherever they are. It counts for what the base has alone: packages with such a file can be
 * unpacked, and projects begun with one. None of them asks, since each open(2) in the project would be looked at then. What has a glob is
 * also named in the home directory: hard links of a path are found, those of a glob are not. Files that hold a secret only sometimes are in
 * token-files.ts.
 */
import { atEveryHome } from '../../sys/host/tool-homes.ts';
import type { State } from '../states.ts';

export interface SecretGroup {
  /** What the group is for. */
  readonly of: string;
  readonly state: State;
  readonly patterns: readonly string[];
}

export const SECRET_GROUPS: readonly SecretGroup[] = [
  {
    of: 'keys: ssh, gnupg, age, sops, smallstep, mkcert, NSS; in any home, also of a copy',
    state: 'deny',
    patterns: [
      '**/{.ssh,.gnupg,.password-store}',
      '~/{.ssh,.gnupg,.password-store,.age,.step,.pki,.sops,.cosign}',
      '~/.config/{sops,age,rage,gnupg,step}',
      '~/.local/share/{gnupg,mkcert/rootCA-key.pem}',
    ],
  },
  {
    of: 'password stores: GNOME, KDE, 1Password, Bitwarden, KeePassXC, LastPass, Enpass, Proton Pass, Python keyring',
    state: 'deny',
    patterns: [
      '~/.local/share/{keyrings,kwalletd,keepassxc,python_keyring,lpass,enpass,password-store,pass,gopass}',
      '~/.config/{op,1Password,Bitwarden,Bitwarden CLI,keepassxc,Enpass,Proton Pass,gopass,lpass,rbw}',
      '~/{.lpass,.keepass,.config/kwalletrc,.local/share/rbw,.cache/rbw,.cache/keepassxc}',
    ],
  },
  {
    of: 'clouds: aws, azure, gcloud, oci, doctl, hcloud, linode, scaleway, vultr, ibm, aliyun, tencent, ovh, exoscale',
    state: 'deny',
    patterns: [
      '**/.aws',
      '~/{.aws,.azure,.azd,.oci,.bluemix,.aliyun,.tccli,.ovh.conf,.boto,.s3cfg,.mc,.linode-cli}',
      '~/.config/{gcloud,doctl,hcloud,linode-cli,scw,vultr-cli.yaml,exoscale,openstack,rclone,s3cmd,s5cmd}',
      '~/.local/share/azure',
      '~/{.databricks,.databrickscfg,.snowflake,.snowsql,.bigqueryrc,.cloudflared}',
    ],
  },
  {
    of: 'platforms: fly, vercel, netlify, heroku, wrangler, supabase, railway, render, firebase, stripe, twilio, sentry',
    state: 'deny',
    patterns: [
      '~/{.fly/config.yml,.vercel,.now,.netlify,.wrangler,.supabase,.railway/config.json,.render,.twilio-cli,.sentryclirc}',
      '~/.config/{fly,netlify,.wrangler/config,wrangler,supabase,railway,render,firebase,stripe,twilio,sentry,heroku,ngrok}',
      '~/.config/configstore/snyk.json',
      '~/.local/share/{com.vercel.cli,supabase,heroku,turso,netlify}',
      '~/{.ngrok2,.tsh,.config/teleport,.config/turso,.config/planetscale,.config/neonctl,.config/snyk}',
    ],
  },
  {
    of: 'infrastructure: kubernetes, helm, argocd, docker, podman, terraform, pulumi, vault, consul, nomad, chef, ansible',
    state: 'deny',
    patterns: [
      '**/.kube',
      '~/{.kube,.minikube,.helm,.config/helm,.config/argocd,.argocd,.pulumi/credentials.json}',
      '~/.terraform.d/credentials.tfrc.json',
      '~/.docker/{config.json,contexts,machine,trust,key.pem}',
      '~/.config/{containers/auth.json,containers/podman-connections.json,k0s,k3d,rancher}',
      '~/{.vault-token,.vault,.consul-token,.nomad-token,.chef,.ansible/vault,.ansible/galaxy_token}',
      '/run/user/*/containers/auth.json',
      '/run/containers/*/auth.json',
    ],
  },
  {
    of: 'git hosts: gh, glab, hub, tea, git credentials, subversion',
    state: 'deny',
    patterns: [
      '**/{.git-credentials,.netrc,_netrc}',
      '~/.config/{gh,glab-cli,hub,hub.token,tea,lab,git/credentials,forgejo-cli,berg}',
      '~/{.git-credentials,.netrc,.subversion/auth,.cache/git/credential}',
    ],
  },
  {
    of: 'registries: pypi, uv, poetry, cargo, gem, composer, conda, hex, pub, maven, ivy, sbt, luarocks, hugging face',
    state: 'deny',
    patterns: [
      '**/.pypirc',
      '~/{.pypirc,.hex/hex.config,.m2/settings-security.xml}',
      ...atEveryHome(['~/.cargo/{credentials,credentials.toml}', '~/.gem/credentials']),
      '~/.config/{pypoetry/auth.toml,composer/auth.json,dart/pub-credentials.json,luarocks/upload_config.lua,rubygems}',
      '~/{.composer/auth.json,.continuum,.pub-cache/credentials.json,.julia/servers,.ivy2/.credentials,.sbt/.credentials,.luarocks/upload_config.lua}',
      '~/.local/share/{uv/credentials,pypoetry/auth.toml}',
      '~/{.cache/huggingface/token,.cache/huggingface/stored_tokens,.huggingface,.kaggle,.config/kaggle,.config/wandb}',
    ],
  },
  {
    of: 'agents and editors: claude, codex, gemini, copilot, cursor, opencode, aider, continue, windsurf, goose, amp, zed',
    state: 'deny',
    patterns: [
      '~/{.claude/.credentials.json,.codex/auth.json,.gemini/oauth_creds.json,.gemini/mcp-oauth-tokens.json,.qwen/oauth_creds.json}',
      '~/{.copilot/config.json,.copilot/mcp-oauth-config,.config/github-copilot,.config/cursor/auth.json,.factory/auth.json}',
      '~/.local/share/{opencode/auth.json,opencode/mcp-auth.json,amp/secrets.json,crush,kiro-cli,amazon-q,goose/secrets.yaml}',
      '~/{.aider,.aider.conf.yml,.continue,.codeium,.windsurf,.config/goose,.config/amp,.config/crush,.openai,.modal.toml}',
      '~/.config/{Code,Code - Insiders,VSCodium,Cursor,Windsurf}/User/globalStorage',
      '~/.local/share/code-server/User/globalStorage',
      '~/{.config/io.datasette.llm/keys.json,.ollama/id_ed25519,.replicate,.config/replicate,.config/zed/credentials}',
    ],
  },
  {
    of: 'browsers',
    state: 'deny',
    patterns: [
      '~/.config/{google-chrome,google-chrome-beta,google-chrome-unstable,chromium,BraveSoftware,microsoft-edge,microsoft-edge-dev,vivaldi,opera,net.imput.helium,qutebrowser,falkon,epiphany}',
      '~/{.mozilla,.config/mozilla,.librewolf,.waterfox,.zen,.floorp,.tor-browser,.var/app,snap/firefox,snap/chromium}',
      '~/.local/share/{qutebrowser,epiphany,falkon,torbrowser}',
      '~/.cache/{mozilla,google-chrome,chromium,BraveSoftware,microsoft-edge,vivaldi,opera,qutebrowser,epiphany,librewolf}',
    ],
  },
  {
    of: 'mail and chat: thunderbird, evolution, mutt, aerc, telegram, signal, slack, discord, element, zulip, weechat',
    state: 'deny',
    patterns: [
      '~/{.thunderbird,.mutt,.mbsyncrc,.msmtprc,.fetchmailrc,.getmail,.offlineimaprc,.authinfo,.authinfo.gpg,.mail,Maildir}',
      '~/.config/{evolution,mutt,neomutt,aerc,himalaya,isyncrc,msmtp,geary,Signal,Slack,discord,Element,Zulip,Mattermost,teams-for-linux,weechat,gajim,dino}',
      '~/.local/share/{evolution,geary,TelegramDesktop,Signal,gajim,dino,weechat,fractal,akonadi,local-mail,mail}',
      '~/{.weechat,.irssi,.purple,.cache/evolution,.cache/thunderbird,.cache/geary}',
    ],
  },
  {
    of: 'histories of shells and prompts: bash, zsh, fish, nushell, atuin, python, node, ruby, julia, R, gdb',
    state: 'deny',
    patterns: [
      '~/{.bash_history,.zsh_history,.zhistory,.history,.histfile,.sh_history,.ksh_history,.mksh_history,.zsh_sessions,.bash_sessions}',
      '~/{.python_history,.node_repl_history,.irb_history,.pry_history,.ghc/ghci_history,.julia/logs/repl_history.jl,.Rhistory,.octave_hist,.gdb_history,.scala_history,.bun_repl_history,.deno_history.txt,.erlang-history}',
      '~/.ipython/profile_default/history.sqlite',
      '~/.local/share/{fish/fish_history,atuin,nushell/history.txt,deno/deno_history.txt}',
      '~/.local/share/{bash,zsh,python,node,irb}/{history,.history}',
      '~/.local/share/{bash,zsh,python,node_repl,irb,sqlite,psql,mysql,mariadb}_history',
      '~/{.config/fish/fish_variables,.config/nushell/history.txt,.config/nushell/history.sqlite3,.config/atuin/key}',
      '~/.cache/{zsh/history,zsh/.zsh_history,zsh_history,bash/history,fish/fish_history}',
    ],
  },
  {
    of: 'databases: postgres, mysql, mongo, redis, sqlite, cassandra, clickhouse, influx, dbeaver',
    state: 'deny',
    patterns: [
      '**/.pgpass',
      '~/{.pgpass,.my.cnf,.mylogin.cnf,.pg_service.conf,.mongorc.js,.mongoshrc.js,.mongodb,.dbshell,.rediscli_history,.redisclirc,.influxdbv2}',
      '~/{.psql_history,.mysql_history,.mariadb_history,.sqlite_history,.usql_history,.usqlpass,.clickhouse-client,.clickhouse-client-history,.cassandra,.odbc.ini,.duckdb_history,.duckdb/stored_secrets}',
      '~/.config/{pgcli,mycli,litecli,DBeaverData,beekeeper-studio,MongoDB Compass,usql,influxdb}',
      '~/.local/share/DBeaverData',
    ],
  },
  {
    of: 'remote desktops, file transfer, backup, wallets',
    state: 'deny',
    patterns: [
      '~/{.vnc,.config/tigervnc,.config/remmina,.local/share/remmina,.config/filezilla,.smbcredentials,.davfs2,.config/borg,.config/restic,.config/syncthing,.local/state/syncthing}',
      '~/{.bitcoin,.electrum,.ethereum,.monero,.litecoin,.foundry/keystores,.config/solana,.config/Exodus,.config/Ledger Live}',
    ],
  },
  {
    of: 'the system: accounts, keys of the host, mounted secrets, schedules, networks (what root could read)',
    state: 'deny',
    patterns: [
      '/etc/{ssl/private,pki/tls/private,letsencrypt,wireguard,openvpn,ipsec.secrets,ipsec.d/private,krb5.keytab,NetworkManager/system-connections}',
      '/etc/{ppp/chap-secrets,ppp/pap-secrets,kubernetes,rancher,samba/private,postfix/sasl_passwd,exim4/passwd.client,msmtprc}',
      '/var/{backups,spool/cron,spool/mail,mail,lib/kubelet,lib/rancher,lib/samba/private,lib/NetworkManager/secret_key}',
      '/{run,var/run}/secrets',
    ],
  },
  {
    of: 'the system: what installing a package changes as well',
    state: 'ask',
    patterns: ['/etc/{shadow,shadow-,gshadow,gshadow-,sudoers,sudoers.d,security/opasswd}', '/etc/ssh/ssh_host_*_key'],
  },
  {
    of: 'anywhere, so in a project, too: environments (what else a project has is looked at: token-files.ts)',
    state: 'deny',
    patterns: ['**/.env', '**/.env.*', '**/.env~', '**/{prod,production,staging,secret,secrets}.env', '**/.dev.vars'],
  },
];

/** What says by its name that it holds none. */
export const TEMPLATES: readonly string[] = ['**/.env.{example,sample,template,dist,defaults}'];
