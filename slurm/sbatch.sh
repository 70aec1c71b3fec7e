#!/bin/bash
# One step of a chain. slurm/chain.py fills in what stands in double at signs; a laboratory that needs another script
# copies this one and names the copy in conf/cluster.yaml (template: <file>).
@@{options}

set -euo pipefail
# A signal to stop is the program's affair, which saves first; it must not end this shell.
trap : USR1 USR2

# What the cluster needs first. Scripts that activate environments use variables that nobody set.
set +u
@@{setup}
set -u
@@{exports}
export PYTHONUNBUFFERED=1 COLUMNS=200
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-${SLURM_CPUS_PER_TASK:-1}}"

words=(
@@{words}
)
@@{sweep}

# The program starts with USR1 and USR2 ignored: Python and torch take seconds to load, and a signal that comes before
# the program has its handler would kill it.
code=0
srun --kill-on-bad-exit=1 --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" \
    bash -c 'trap "" USR1 USR2; exec "$@"' - \
    @@{program} "${words[@]}" || code=$?

# A run that was asked to stop has saved and goes on after a requeue. It requeues its job itself, unless it found no
# scontrol, as in a container: then it ended with 75.
if [ "$code" -eq 75 ]; then
    job=$SLURM_JOB_ID
    if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID; fi
    scontrol requeue "$job"
fi
exit "$code"
