#!/bin/sh
# layout.sh EXECUTABLE OUT: lays out the files of the container image.
# OUT/system belongs to root: the program and the libraries that it was linked with. OUT/own belongs to the user that it
# runs as: the data folder, and the database's library where the program looks for it, so that /tmp may be without exec.
set -eu
executable=$1
out=$2
mkdir -p "$out/system/tmp" "$out/system/etc" "$out/own/data" "$out/own/cache"
chmod 1777 "$out/system/tmp"
cp "$executable" "$out/system/mercadito"
chmod 755 "$out/system/mercadito"
# Under the names that the loader looks for, links followed.
ldd "$executable" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$out/system$(dirname "$library")"
  cp -L "$library" "$out/system$library"
done
echo 'mercadito:x:65532:65532::/data:/mercadito' >"$out/system/etc/passwd"
echo 'mercadito:x:65532:' >"$out/system/etc/group"
XDG_CACHE_HOME="$out/own/cache" "$out/system/mercadito" --version
