# From a clone to a session with what README.md says, as sh, in a new directory below the working one; says in one line how far it came.
# `$BUNDLE` is the repository, `$NODE` Node, `$NPM` npm's program, `$STEPS` what is done with the installed program. The home directory is a new one.
finish() {
  echo "result: $1"
  exit 0
}
step() {
  said=$("$@" 2>&1) && return
  echo "$said"
  finish "$*: $(echo "$said" | grep -v '^npm notice' | tail -n 1)"
}

dir=$(mktemp -d "${TMPDIR:-/tmp}/clone.XXXXXX") && cd "$dir" && mkdir bin home || exit 1
ln -s "$NODE" bin/node
printf '#!/bin/sh\nexec node "%s" "$@"\n' "$NPM" > bin/npm && chmod +x bin/npm
export HOME=$dir/home PATH=$dir/bin:$dir/home/.npm-global/bin:$PATH npm_config_prefix=$dir/home/.npm-global
step git clone --quiet "$BUNDLE" yolofs
cd yolofs || exit 1
step npm ci
step npm run demo
echo "$said" | grep -q '^Every claim held' || finish 'the demonstration says nothing of its claims'
step npm install --global .
step yolofs doctor
cd .. && MAIN=$(readlink -f home/.npm-global/bin/yolofs) && export MAIN && exec sh -c "$STEPS"
