/** A program in place of `yolofs`: it breaks in a way that a word in the command names, and lets everything else through. */
export const BREAKING = `#!/bin/sh
event=$(cat)
case "$event" in
  *EXIT-1*) exit 1 ;;
  *EXIT-2*) echo '{}'; exit 2 ;;
  *KILLED*) kill -9 $$ ;;
  *SILENT*) exit 0 ;;
  *NO-JSON*) echo fine ;;
  *HANGING*) exec sleep 20 ;;
  *MISSING*) exec "$0-is-not-there" ;;
esac
echo '{}'
`;
