#!/bin/sh
# Plays the sequential test of two commits of this repository, each built in release.
#
#   tests/compare_commits.sh OLD [NEW [ELO0 [ELO1 [TC]]]]
#
# NEW is HEAD when not given, the bounds 0 and 5 (normalized Elo of NEW over OLD), the time control 5+0.05. The match is
# run by NEW. Builds, state and games stay in .runs/compare, so the same line goes on where an interrupted match stopped.
set -eu

if [ $# -lt 1 ] || [ $# -gt 5 ]; then
    sed -n 's/^# \{0,1\}//; 2,7p' "$0" >&2
    exit 2
fi

root=$(git rev-parse --show-toplevel)
old=$(git -C "$root" rev-parse --short "$1^{commit}")
new=$(git -C "$root" rev-parse --short "${2:-HEAD}^{commit}")
elo0=${3:-0}
elo1=${4:-5}
tc=${5:-5+0.05}
runs=$root/.runs/compare
mkdir -p "$runs"

# build COMMIT: leaves the binary at $runs/antiking-COMMIT.
build() {
    binary=$runs/antiking-$1
    [ -x "$binary" ] && return
    source=$runs/source-$1
    # What an interrupted build has left.
    git -C "$root" worktree remove --force "$source" 2>/dev/null || rm -rf "$source"
    git -C "$root" worktree add --force --detach "$source" "$1" >&2
    (cd "$source" && CARGO_TARGET_DIR=$runs/target cargo build --release >&2)
    cp "$runs/target/release/antiking" "$binary"
    git -C "$root" worktree remove --force "$source"
}

build "$old"
build "$new"
name=$(printf '%s' "$old-$new-$elo0-$elo1-$tc" | tr '/:' '__')
exec "$runs/antiking-$new" match \
    --engine "cmd=$runs/antiking-$new" "name=new-$new" \
    --engine "cmd=$runs/antiking-$old" "name=old-$old" \
    --each "tc=$tc" option.Hash=16 option.Threads=1 \
    --openings "file=$root/tests/data/openings.epd" order=random \
    --games 2 --rounds 20000 --repeat --concurrency "$(getconf _NPROCESSORS_ONLN)" --recover \
    --sprt "elo0=$elo0" "elo1=$elo1" \
    --resume "$runs/$name.state" --pgnout "$runs/$name.pgn"
