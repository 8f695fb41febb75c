#!/bin/sh
':' /*
# The installed program: lines for sh, then for Perl, then for Node; each takes those of the others for a comment (README.md here).
# `@…@` is put in by write-launcher.ts.
is_launched() { case "${1-}" in @LAUNCHED@) ;; *) [ "${0##*"/"}" = yolofs-shell ] ;; esac; }
if is_launched "$@"; then
  # Inside the view Node answers. Variables that make another Perl of it, and traces, are Node's, too.
  if [ "${YOLOFS_VIEW-}" != 1 ] && [ ! -S /dev/yolofs ] && command -v perl > /dev/null &&
    [ -z "${PERL5OPT-}${PERL5LIB-}${PERLLIB-}${PERL5DB-}${PERL_UNICODE-}${PERLIO-}${YOLOFS_TRACE-}" ]; then
    # What is closed is open on nothing, as it is for Node: Perl would have its own text there.
    [ -e /proc/self/fd/0 ] || exec < /dev/null
    [ -e /proc/self/fd/1 ] || exec > /dev/null
    [ -e /proc/self/fd/2 ] || exec 2> /dev/null
    # Perl would complain about a locale that the host lacks.
    [ -z "${PERL_BADLANG+set}" ] || export YOLOFS_PERL_BADLANG="$PERL_BADLANG"
    export PERL_BADLANG=0
    exec perl -x "$0" "$@"
  fi
fi
# npm puts programs beside its Node. PATH may lead to another one, or to none: nvm's is in the PATH of shells only.
for node in "${0%/*}/node" "${0%/lib/node_modules/*}/bin/node"; do
  [ -f "$node" ] && [ -x "$node" ] && exec "$node" "$0" "$@"
done
command -v node > /dev/null && exec node "$0" "$@"
echo "yolofs: @WITHOUT@" >&2
# Agents take this for a refusal, whatever their configuration says of hooks that fail.
[ "${1-}" != @HOOK@ ] || exit 2
exit 1
