#!/bin/sh
# The first process of an emulated machine: mounts what there has to be, runs the job on the second disk, and ends the machine.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TZ=UTC NO_COLOR=1
mount -t proc -o nosuid,nodev,noexec proc /proc
mount -t sysfs -o nosuid,nodev,noexec sys /sys
mountpoint -q /dev || mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts -o mode=620,ptmxmode=666 pts /dev/pts
mount -t tmpfs -o nosuid,nodev shm /dev/shm
mount -t tmpfs -o nosuid,nodev,mode=755 run /run
mount -t tmpfs -o nosuid,nodev tmp /tmp
mount -t cgroup2 none /sys/fs/cgroup
mount -t securityfs none /sys/kernel/security
[ -e /dev/fuse ] || modprobe fuse
chmod 666 /dev/fuse
ln -s /proc/self/fd /dev/fd
ln -s /proc/self/fd/2 /dev/stderr
hostname machine
ip link set lo up
mount -o ro /dev/vdb /opt/yolofs
echo "job: begins on $(uname -rm)"
sh /opt/yolofs/job.sh
echo 'job: ended'
sync
exec busybox poweroff -f
