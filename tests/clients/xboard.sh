#!/usr/bin/env bash
# A game of the engine against itself in XBoard, on a display of its own, and a look at how XBoard took it.
#
#   tests/clients/xboard.sh native|uci2wb ENGINE FOLDER
#
# native: XBoard speaks to the engine itself and tests every move for legality; uci2wb: through that adapter, without the
# test. ENGINE is the binary. FOLDER gets game.pgn, debug.log (all that was said), board.png (the board near the end) and
# position.txt. The moves are played over by the engine's own rules: the result that XBoard wrote must be theirs.
#
# Debian: apt-get install --no-install-recommends xboard uci2wb xvfb imagemagick xfonts-base
set -euo pipefail

LIMIT_SECONDS=300

main() {
    [ $# -eq 3 ] || { sed -n '2,11p' "$0"; exit 2; }
    local mode=$1 engine folder
    engine=$(realpath "$2")
    mkdir -p "$3"
    folder=$(realpath "$3")
    export PATH=$PATH:/usr/games
    require xboard Xvfb import "$engine"
    scratch=$(mktemp -d)
    trap clean_up EXIT
    start_display
    rm -f "$folder"/{game.pgn,debug.log,board.png,position.txt}

    local program
    local -a arguments
    case $mode in
        native) program=$engine arguments=() ;;
        uci2wb) require uci2wb
            program="uci2wb $engine" arguments=(-testLegality false -xponder -repeatsToDraw 3) ;;
        *) fail "the mode is native or uci2wb, not $mode" ;;
    esac
    play "$folder" -fcp "$program" -scp "$program" ${arguments[@]+"${arguments[@]}"}
    judge "$folder" "$engine"
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

require() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || { echo "$program is not installed" >&2; exit 2; }
    done
}

clean_up() {
    local process
    for process in ${board:-} ${display:-}; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$scratch"
}

# Xvfb picks a number that is free and tells it.
start_display() {
    Xvfb -displayfd 3 -screen 0 700x640x24 -nolisten tcp 3>"$scratch/display" >/dev/null 2>&1 &
    display=$!
    local tries=0
    until [ -s "$scratch/display" ]; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || fail "Xvfb does not start"
        sleep 0.1
    done
    export DISPLAY=:$(head -n 1 "$scratch/display") HOME=$scratch
}

# One game, to its end; the arguments behind the folder name the engines.
play() {
    local folder=$1
    shift
    xboard "$@" -variant anti-king-2 -mg 1 -tc 0:30 -inc 0 -size 49 -sgf "$folder/game.pgn" \
        -debug -nameOfDebugFile "$folder/debug.log" -xpopup -xexit -saveSettingsOnExit false -soundProgram "" \
        >"$scratch/said" 2>&1 &
    board=$!
    local seconds=0
    while kill -0 "$board" 2>/dev/null; do
        [ $seconds -lt $LIMIT_SECONDS ] || fail "the game has not ended in $LIMIT_SECONDS s"
        if import -silent -window root "$scratch/board.png" 2>/dev/null && kill -0 "$board" 2>/dev/null; then
            cp "$scratch/board.png" "$folder/board.png"
        fi
        sleep 1
        seconds=$((seconds + 1))
    done
    wait "$board" || true
    board=
    [ -s "$folder/game.pgn" ] || fail "no game was saved; XBoard said: $(head -n 3 "$scratch/said")"
}

# XBoard may have ended the game only as the rules do.
judge() {
    local folder=$1 engine=$2 start moves result ended expected
    start='rnbqkbnr/pppppppp/3A4/8/8/3a4/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    grep -qF "[Variant \"anti-king-2\"]" "$folder/game.pgn" || fail "the game has another variant"
    grep -qF "[FEN \"$start\"]" "$folder/game.pgn" || fail "the game has another start"
    if grep -E 'Forfeit|False |[Ii]llegal|xboard exit|on time|unexpectedly|disconnect' "$folder/game.pgn" >&2; then
        fail "the game did not end by the rules"
    fi
    moves=$(sed -nE 's/.*<(first|second) *: *move ([a-h][1-8][a-h][1-8][qrbn]?).*/\2/p' "$folder/debug.log" | tr '\n' ' ')
    "$engine" d startpos moves $moves >"$folder/position.txt" || fail "a move is not legal"
    result=$(sed -n 's/^\[Result "\(.*\)"\]$/\1/p' "$folder/game.pgn")
    ended=$(sed -n 's/^Result: //p' "$folder/position.txt")
    case $ended in
        White*) expected=1-0 ;;
        Black*) expected=0-1 ;;
        draw*) expected=1/2-1/2 ;;
        *) expected='*' ;;
    esac
    [ "$result" = "$expected" ] || fail "XBoard has $result, the rules have $expected ($ended)"
    echo "$(wc -w <<<"$moves") half-moves, $result ($ended); $(grep -ao '{[^{}]*} [012/-]*$' "$folder/game.pgn" | tail -n 1)"
}

main "$@"
