#!/bin/sh
# layout.sh EXECUTABLE OUT: writes the files of the container image to OUT.
# OUT/system belongs to root: the program and the libraries that it is linked with. OUT/own belongs to the user of the
# image: the data folder, and the database's library where the program looks for it, so that /tmp may be noexec.
set -eu
executable=$1
out=$2
mkdir -p "$out/system/tmp" "$out/system/etc" "$out/own/data" "$out/own/cache"
chmod 1777 "$out/system/tmp"
cp "$executable" "$out/system/mercadito"
chmod 755 "$out/system/mercadito"
# With the names that the loader looks for, and without symbolic links.
ldd "$executable" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$out/system$(dirname "$library")"
  cp -L "$library" "$out/system$library"
done
echo 'mercadito:x:65532:65532::/data:/mercadito' >"$out/system/etc/passwd"
echo 'mercadito:x:65532:' >"$out/system/etc/group"
XDG_CACHE_HOME="$out/own/cache" "$out/system/mercadito" --version
