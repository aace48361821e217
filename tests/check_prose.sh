#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# scripts/check-prose finds seeded faults: a small project without faults passes, and with one of each kind it fails with
# the right words. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
check=$PWD/scripts/check-prose
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

result() { # STATUS WHAT
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $2"
        sed 's/^/        /' "$work/output"
    fi
}
in_git() { git -c user.name=test -c user.email=test@example.org -C "$work/project" "$@" >/dev/null 2>&1; }

# A project without faults.
begin() {
    rm -rf "$work/project"
    mkdir -p "$work/project"/{docs,scripts,tests,amp} && cd "$work/project" || exit 1
    printf '# Title\n\nA short sentence. See [the page](docs/page.md#second-part).\n' >README.md
    printf '# Page\n\n## Second part\n\nAnother short sentence.\n' >docs/page.md
    printf '/* A comment. */\n' >amp/header.h
    printf '#!/bin/sh\n# docs/page.md\n' >scripts/other
    printf '#!/bin/sh\nprintf "header\\terror\\tthe value is too large\\n"\n' >tests/check-docs
    cp "$check" scripts/check-prose && chmod +x scripts/* tests/check-docs
    cd - >/dev/null || exit 1
}

# finds WORDS WHAT: the check fails and prints the words
finds() {
    PROSE_ROOT=$work/project "$check" >"$work/output" 2>&1
    [ $? -eq 1 ] && grep -qF -- "$1" "$work/output"
    result $? "$2"
}
passes() { # WHAT
    PROSE_ROOT=$work/project "$check" >"$work/output" 2>&1
    result $? "$1"
}
add() { printf '\n%b\n' "$2" >>"$work/project/$1"; }

begin && passes 'a project without faults'

begin && add docs/page.md "$(printf 'word %.0s' {1..40})end."
finds 'docs/page.md:7: a sentence of 41 words' 'a long sentence'

begin && for _ in 1 2 3 4 5 6; do add docs/page.md "It $(printf 'word %.0s' {1..25})end. <!-- $RANDOM -->"; done
finds 'words in a sentence, the limit is' 'a page of long sentences'

begin && add docs/page.md 'The results come home.\n\n```\nby hand\n```\n\n`by hand`'
finds 'docs/page.md:7: "come home"' 'a private word in a document'
[ "$(grep -c 'by hand' "$work/output")" -eq 0 ]
result $? 'code is not prose'

begin && printf '#!/bin/sh\nprintf "header\\terror\\tnobody reads it\\n"\n' >"$work/project/tests/check-docs"
finds '"nobody"' 'a private word in a message'

begin && for _ in {1..200}; do add amp/header.h '/* The CPU loops. */'; done
finds '200 private words' 'private words in comments'

begin && add docs/page.md '[a link](nowhere.md)'
finds 'the link nowhere.md leads nowhere' 'a broken link'

begin && add docs/page.md '[a link](#no-part)'
finds 'the link #no-part: no such heading' 'a link to a heading that does not exist'

begin && add scripts/other '# see docs/gone.md'
finds 'mentions docs/gone.md' 'a script that mentions a document that does not exist'

twice='This paragraph has more than a dozen words, so that it counts, and it stands in two pages.'
begin && add docs/page.md "$twice" && add README.md "$twice"
finds 'stands already in README.md' 'a paragraph that stands twice'

if command -v git >/dev/null; then
    begin && in_git init && in_git add -A && in_git commit -m 'Before the check there may be anything' &&
        printf 'x\n' >"$work/project/new" && in_git add -A && in_git commit -m 'docs: add a file'
    passes 'good subjects'
    printf 'y\n' >"$work/project/new" && in_git commit -am 'Changed some things'
    finds 'not "area: what changes"' 'a subject without an area'
    in_git reset --hard HEAD~1 && printf 'y\n' >"$work/project/new" &&
        in_git commit -am "docs: $(printf 'word %.0s' {1..20})"
    finds 'characters, the limit is 72' 'a long subject'
    git clone -q --depth 1 "file://$work/project" "$work/shallow" 2>/dev/null && rm -rf "$work/project" &&
        mv "$work/shallow" "$work/project"
    passes 'a shallow clone'
    rm -rf "$work/project/.git"
    passes 'no git'
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
