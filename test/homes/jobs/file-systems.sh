# Projects where what is staged cannot lie: all steps of a session, and commits that are cut short at twelve moments.
. /opt/yolofs/repository/test/homes/jobs/common.sh
# disk TYPE: a file system of the type, in a file, writable by the ordinary user.
disk() {
  truncate -s 64M "/srv/$1.img" && "mkfs.$1" "/srv/$1.img" > /dev/null && mkdir "/mnt/$1" &&
    mount -o loop,uid=1000,gid=1000 "/srv/$1.img" "/mnt/$1"
}
# crashes WHAT PLACE: the real files are those before or after the commit, and it can be done again.
crashes() {
  row ordinary "$1: commits cut short" "$(cd "$2" && as ordinary sh "$REPOSITORY/test/homes/jobs/crashes.sh" 2>&1 | tee /dev/stderr | sed -n 's/^result: //p')"
}
both() {
  steps ordinary "$1" PLACE="$2"
  crashes "$1" "$2"
}
# changed WHAT PLACE OTHER SECONDS: what another machine writes, in OTHER, is seen by a command that goes on so long after.
changed() {
  row ordinary "$1: another machine writes a file" "$(cd "$2" && mkdir others && chown dev:dev others && cd others && as ordinary sh -c 'echo one > f' &&
    as ordinary "$NODE" "$MAIN" init > /dev/null 2>&1 && { (sleep 20; echo two > "$3/others/f"; echo > "$3/others/go") & } &&
    as ordinary "$NODE" "$MAIN" run --quiet -- sh -c 'cat f; while [ ! -e go ]; do sleep 1; done; sleep "$0"; cat f' "$4" 2>&1 | tr '\n' ' '
    as ordinary "$NODE" "$MAIN" stop > /dev/null 2>&1)"
}
modprobe loop
for type in vfat exfat; do
  modprobe "$type" && disk "$type" && both "$type" "/mnt/$type"
done
modprobe 9pnet_virtio
mkdir /mnt/9p && mount -t 9p -o trans=virtio,version=9p2000.L,cache=none share /mnt/9p && both '9p' /mnt/9p
# The host writes, as it does for the other mount.
mkdir /mnt/other && mount -t 9p -o trans=virtio,version=9p2000.L,cache=none other /mnt/other && changed 9p /mnt/9p /mnt/other 2
umount /mnt/9p && mkdir /mnt/9pm && mount -t 9p -o trans=virtio,version=9p2000.L,cache=mmap share /mnt/9pm && steps ordinary '9p, cache=mmap' PLACE=/mnt/9pm
mkdir -p /srv/nfs /mnt/nfs && chown dev:dev /srv/nfs
echo '/srv/nfs 127.0.0.1(rw,no_root_squash,insecure,fsid=0)' > /etc/exports
mkdir -p /var/lib/nfs/rpc_pipefs /var/lib/nfs/v4recovery /run/rpcbind
touch /var/lib/nfs/etab /var/lib/nfs/rmtab
modprobe nfsd && mount -t nfsd nfsd /proc/fs/nfsd && exportfs -a && rpc.mountd --no-udp && rpc.nfsd --no-nfs-version 3 2
mount -t nfs4 -o vers=4.2 127.0.0.1:/ /mnt/nfs && both NFS /mnt/nfs
# The server itself writes; the client asks it anew after 3 s at the least.
changed NFS /mnt/nfs /srv/nfs 10
mkdir /mnt/ro && mkdir /srv/ro && chown dev:dev /srv/ro && as ordinary sh -c 'echo one > /srv/ro/old' && mount --bind /srv/ro /mnt/ro && mount -o remount,bind,ro /mnt/ro
cd /mnt/ro && as ordinary "$NODE" "$MAIN" init && row ordinary 'a read-only mount' "$(as ordinary "$NODE" "$MAIN" run --quiet -- sh -c 'echo two > old && cat old' 2>&1) in the view, $(cat old) outside"
