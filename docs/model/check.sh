#!/bin/sh
# Checks the model in all its variants: the rules as they stand must have no violation,
# each broken rule must have one. Needs spin and gcc; takes about a minute.
#
#   ./check.sh          all but the slow ones
#   ./check.sh --slow   those too
#   ./check.sh NAME     one variant; a counterexample is then written out, step by step
set -eu

script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
model=$(dirname "$script")/lock.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
only=${1:-}
brief=
slow=
failed=0
ran=0

case $only in
'' | --slow) # as many at once as there are cores
	sh "$script" --list $only | xargs -n 1 -P "$(nproc)" sh "$script" --brief
	exit
	;;
--list)
	slow=${2:-}
	;;
--brief)
	only=$2
	brief=true
	;;
esac

# check holds|fails NAME -D...
check() {
	expected=$1 name=$2
	shift 2
	case $only in
	--list) echo "$name" ;;
	"$name") ;;
	*) return 0 ;;
	esac
	ran=$((ran + 1))
	[ "$only" = "$name" ] || return 0
	spin -a "$@" "$model"
	gcc -O1 -DSAFETY -DNOREDUCE -DNOFAIR -o pan pan.c
	./pan -m1000 -w22 >pan.out 2>&1
	if grep -q 'errors: 0$' pan.out; then found=holds; else found=fails; fi
	# A search that was cut short proves nothing.
	if grep -q -e 'max search depth too small' -e 'Search not completed' pan.out && [ $found = holds ]; then found=unknown; fi
	states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.out)
	printf '%-32s %-6s %10s states  %s\n' "$name" "$found" "$states" "$*"
	if [ -z "$brief" ] && [ $found = fails ]; then spin -t -p -g "$@" -k "$(basename "$model").trail" "$model"; fi
	if [ $found != $expected ]; then
		echo "$name: expected that it $expected" >&2
		failed=1
	fi
}

# Mutual exclusion, one restart.
one="-DATTEMPTS=1 -DCRASHES=1 -DTICKS=2 -DNO_FENCING"
check holds exclusion $one
check fails no-quarantine $one -DQUARANTINE=0
check fails short-quarantine $one -DQUARANTINE=1

# Mutual exclusion, two restarts at once.
two="-DATTEMPTS=1 -DCRASHES=2 -DTICKS=1 -DNO_FENCING"
check holds exclusion-two-restarts $two
check fails quorum-of-reachable $two -DQUORUM_OF_REACHABLE

# Mutual exclusion, renewals.
renew="-DATTEMPTS=1 -DCRASHES=1 -DCRASHING=1 -DTICKS=2 -DNO_FENCING -DRENEWALS=1"
check holds renewal $renew
check fails renewal-counts-quarantined $renew -DQUARANTINED_COUNTS_FOR_RENEWAL

# Mutual exclusion, a clock that is slow.
drift="-DATTEMPTS=1 -DCRASHES=0 -DTICKS=3 -DNO_FENCING -DLEASE=3 -DSLIPS=1"
check holds drift $drift -DMARGIN=1
check fails no-drift-margin $drift -DMARGIN=0

# Tokens, without clocks: no node loses its fence.
fence="-DATTEMPTS=1 -DCRASHES=0 -DTICKS=2 -DTOKENS_PER_TICK=0"
check holds tokens $fence
check fails no-second-round $fence -DNO_SECOND_ROUND
check fails raise-where-not-held $fence -DRAISE_ANYWHERE

# Tokens, two nodes restart empty: the clocks must do.
restart="-DATTEMPTS=1 -DCRASHES=2 -DCRASHING=3 -DTICKS=1 -DLEASE=1 -DAHEAD=0"
check holds tokens-restarts $restart -DSKEW=0
check fails tokens-no-quarantine $restart -DSKEW=0 -DQUARANTINE=0
check fails clocks-too-far-apart $restart -DSKEW=1

# No writer beside a reader.
model=$(dirname "$model")/readers.pml
readers="-DTICKS=2 -DLEAVING=0"
check holds readers $readers
check fails marker-not-extended $readers -DMARKER_NOT_EXTENDED
check holds readers-leave -DTICKS=0 -DLEAVING=5
check fails first-leaver-deletes -DTICKS=0 -DLEAVING=5 -DFIRST_LEAVER_DELETES
check holds downgrade -DTICKS=1 -DLEAVING=0 -DDOWNGRADE
check fails writes-until-confirmed -DTICKS=1 -DLEAVING=0 -DDOWNGRADE -DWRITES_UNTIL_CONFIRMED
renewing="-DLEASE=1 -DTICKS=2 -DLEAVING=0 -DRENEWALS=1 -DRENEWING=1"
check holds readers-renewal $renewing
check fails renewed-over-a-writer $renewing -DRENEWED_OVER_A_WRITER
model=$(dirname "$model")/lock.pml

case $only$slow in --list) ;; *)
	late="-DATTEMPTS=1 -DCRASHES=1 -DCRASHING=1 -DTICKS=2"
	check holds tokens-one-restart $late
	check fails counted-at-reply $late -DCOUNTED_AT_REPLY
	;;
esac

[ $ran -gt 0 ] || { echo "no such variant: $only" >&2; exit 2; }
exit $failed
