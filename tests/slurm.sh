#!/bin/sh
# slurm.sh - a class on a cluster: munged, slurmctld and two slurmd of this test alone, on this computer; the same results as
# without; a task that is killed; a job that is interrupted; an array that is refused.

. tests/lib.sh
root=$PWD
class=$root/$BUILD/lockstep-class
same() { if [ "$2" = "$3" ]; then pass "slurm: $1"; else fail "slurm: $1" "got $2, not $3
$(cat "$scratch/err" 2>/dev/null)"; fi; }
for program in munged slurmctld slurmd sbatch; do
    command -v "$program" >/dev/null 2>&1 || [ -x "/usr/sbin/$program" ] || { echo "skip slurm.sh: $program is not here (packages slurm-wlm, munge)" && exit 0; }
done
PATH=$PATH:/usr/sbin
S=$scratch/slurm
port=$((20000 + $$ % 20000))
me=$(id -un)
mkdir -p "$S/ctl" "$S/log" "$S/n1" "$S/n2" "$S/munge"
chmod 755 "$scratch" "$S" && chmod 711 "$S/munge"
head -c 1024 /dev/urandom >"$S/munge/key" && chmod 600 "$S/munge/key"
cat >"$S/slurm.conf" <<END
ClusterName=lab
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$S/munge/socket
CredType=cred/munge
StateSaveLocation=$S/ctl
SlurmdSpoolDir=$S/%n
SlurmctldPidFile=$S/slurmctld.pid
SlurmdPidFile=$S/%n.pid
SlurmctldLogFile=$S/log/slurmctld
SlurmdLogFile=$S/log/%n
SlurmctldPort=$port
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
KillWait=2
MinJobAge=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 State=UNKNOWN
PartitionName=grade Nodes=n1,n2 Default=YES MaxTime=01:00:00 State=UP
END
echo CgroupPlugin=cgroup/v1 >"$S/cgroup.conf"
export SLURM_CONF="$S/slurm.conf"
munged --force --foreground --key-file="$S/munge/key" --socket="$S/munge/socket" --pid-file="$S/munge/pid" --log-file="$S/munge/log" --seed-file="$S/munge/seed" >/dev/null 2>&1 &
daemons=$!
until [ -S "$S/munge/socket" ]; do kill -0 "$daemons" || break; sleep 0.1; done
slurmctld -D >"$S/log/ctl.out" 2>&1 &
daemons="$daemons $!"
for n in n1 n2; do
    slurmd -D -N $n >"$S/log/$n.out" 2>&1 &
    daemons="$daemons $!"
done
# shellcheck disable=SC2086,SC2064 # numbers of processes, as they are now
trap "scancel --user=$me >/dev/null 2>&1; kill $daemons 2>/dev/null; wait; rm -rf '$scratch'" EXIT
tries=0
until [ "$(sinfo -h -o %t -p grade 2>/dev/null | sort -u)" = idle ] || [ $((tries += 1)) -gt 600 ]; do sleep 0.1; done
same 'two nodes are idle' "$(sinfo -h -o '%D %t' 2>&1)" '2 idle'

submissions=$scratch/submissions
mkdir "$submissions"
for s in ada bob cy dee 'Eve, jr' "o'hara"; do mkdir "$submissions/$s" && cp -R solutions/05-padded "$submissions/$s/"; done
cp -R tests/wrong/conflicts/05-padded/* "$submissions/bob/05-padded/"
echo '// cy' >>"$submissions/cy/05-padded/aat.cu"
grade() { out=$1 && shift && "$class" class "$submissions" --out "$out" --lab 05 --device sim:tiny --seed 7 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null; }

grade "$scratch/here" --jobs 2
same 'graded without it' "$?" 0
grade "$scratch/there" --engine slurm --jobs 3
same 'graded by three slices' "$? $(cat "$scratch/out")" "0 6 of 6 submissions graded: $scratch/there/gradebook.csv"
expect_none 'slurm: the same bytes' "$(diff -r -x '.*' "$scratch/here" "$scratch/there" 2>&1)"
same 'three tasks did it' "$(find "$scratch/there/.slices" -name 'log-*' | wc -l)" 3

# A task that dies is asked again. The first to take a submission is killed while it is at it.
grade "$scratch/killed" --engine slurm --jobs 2 --limit 99 &
grading=$!
tries=0
until pid=$(pgrep -f -- "$scratch/killed.*--slice" | head -n 1) && [ "$pid" ] && grep -qs taken "$scratch"/killed/.slices/*; do
    [ $((tries += 1)) -gt 2000 ] && break
    sleep 0.01
done
kill -9 "$pid" 2>/dev/null
wait "$grading"
same 'a task is killed' "$? $(cat "$scratch/out")" "0 6 of 6 submissions graded: $scratch/killed/gradebook.csv"
expect_none 'slurm: after a killed task the same bytes' "$(diff -r -x '.*' "$scratch/here" "$scratch/killed" 2>&1)"

# Ctrl-C takes the array along, and the same command goes on.
grade "$scratch/stopped" --engine slurm --jobs 6 &
sleep 0.1
tries=0
until pid=$(pgrep -f -- "$class class $submissions --out $scratch/stopped .*--engine" | head -n 1) && [ "$pid" ] && [ -s "$scratch/stopped/.slices/job" ]; do
    [ $((tries += 1)) -gt 2000 ] && break
    sleep 0.01
done
kill -TERM "$pid"
wait $!
same 'interrupted' "$? $(grep -c 'interrupted; the same command goes on' "$scratch/err")" '1 1'
tries=0
until [ -z "$(squeue -h)" ] || [ $((tries += 1)) -gt 600 ]; do sleep 0.1; done
same 'no job is left' "$(squeue -h)" ''
grade "$scratch/stopped" --engine slurm --jobs 6
same 'goes on' "$?" 0
expect_none 'slurm: interrupted, the same bytes' "$(diff -r -x '.*' "$scratch/here" "$scratch/stopped" 2>&1)"

scontrol update PartitionName=grade State=INACTIVE
grade "$scratch/refused" --engine slurm
same 'a partition that is closed' "$? $(grep -c 'sbatch refuses: .*partition' "$scratch/err")" '1 1'
grade "$scratch/refused" --engine sge
same 'another engine' "$? $(grep -c 'there are local and slurm' "$scratch/err")" '2 1'
finish
