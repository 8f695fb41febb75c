# The suites whose outcome an architecture may decide, as an ordinary user, and a session, as both.
. /opt/yolofs/repository/test/homes/jobs/common.sh
# suite FILES WHAT [VARIABLE=VALUE…]
suite() {
  files=$1 what=$2
  shift 2
  (cd "$REPOSITORY" && as ordinary env YOLOFS_TEST_SLOWNESS=20 "$@" "$NODE" dist/test/run.js "$files") 2>&1 | tee /run/suite
  row ordinary "$what" "$(sed -n 's/^. tests \([0-9]*\)$/\1 tests/p;s/^. \(fail\|skipped\) \([0-9]*\)$/, \2 \1/p' /run/suite | tr -d '\n')"
}
suite conformance/conformance 'the conformance list'
steps ordinary 'a session'
suite escape/ 'the escape list' YOLOFS_TEST_QUICK=1
steps root 'a session'
suite sandbox/ 'the tests of the sandbox' YOLOFS_TEST_QUICK=1
