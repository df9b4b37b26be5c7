#!/bin/sh
# deb FOLDER: builds a Debian package, FOLDER/*.deb, of the commit that is
# checked out.  Works in a clone in FOLDER, because debian/ must be at the top of
# the source tree.
set -eu
[ $# = 1 ] || { echo 'usage: deb.sh FOLDER' >&2; exit 2; }
for package in build-essential debhelper git; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' $package 2>/dev/null)" = \
        installed ] || {
        echo "deb: there is no $package; as root: apt-get install -y" \
            '--no-install-recommends build-essential debhelper git' >&2
        exit 1
    }
done
version=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)
tree=$1/synthbench-$version
rm -rf "$1"
mkdir -p "$1"
git clone -q . "$tree"
cp -R harness/make/debian "$tree/debian"
packages=$(awk '$1 == "build" { printf ", %s", $2 }' harness/make/packages)
sed -i "s/@BUILD@/$packages/" "$tree/debian/control"
echo /debian/ >>"$tree/.git/info/exclude" # the tree is the commit's
cat >"$tree/debian/changelog" <<TEXT
synthbench ($version) unstable; urgency=medium

  * Commit $(git rev-parse --short HEAD); CHANGELOG.md tells what is new.

 -- synthbench <synthbench@localhost>  $(git log -1 --format=%cD)
TEXT
cd "$tree"
dpkg-buildpackage -b -us -uc
