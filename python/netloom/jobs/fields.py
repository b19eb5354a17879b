"""What Slurm's lists of jobs and nodes define, and what becomes of each field.

Sources: squeue(1), scontrol(1), sinfo(1), and the data_parser plug-ins of Slurm 23.11 to 25.05. `used`: which ranks run
where depends on it; `label`: it says nothing of that; `noted`: it says something and is left out, which one note tells.
A field that no manual has is noted too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Fate = Literal["used", "label", "noted"]


def _table(used: str, noted: str, label: str) -> dict[str, Fate]:
    made: dict[str, Fate] = dict.fromkeys(label.split(), "label")
    made |= dict.fromkeys(noted.split(), "noted")
    return made | dict.fromkeys(used.split(), "used")


#: Headers of `squeue -o` and `squeue -O`.
SQUEUE: Mapping[str, Fate] = _table(
    used="JOBID NAME STATE ST NODES CPUS TASKS CPUS_PER_TASK NTASKS_PER_NODE NODELIST NODELIST(REASON)",
    noted="NTASKS_PER_BOARD NTASKS_PER_CORE NTASKS_PER_SOCKET HET_JOB_OFFSET",
    label="""ACCOUNT ACCRUE_TIME ADMIN_COMMENT ALLOC_NODES ALLOC_SID ARRAY_JOB_ID ARRAY_TASK_ID ASSOC_ID BATCH_FLAG
    BATCH_HOST BOARDS_PER_NODE BURST_BUFFER BURST_BUFFER_STATE CLUSTER CLUSTER_FEATURES COMMAND COMMENT
    CONTAINER CONTAINER_ID CONTIGUOUS CORES_PER_SOCKET CORE_SPEC CORES_SPEC CPUS_PER_TRES CPU_FREQ
    DELAY_BOOT DEPENDENCY DERIVED_EC ELIGIBLE_TIME END_TIME EXC_NODES EXEC_HOST EXIT_CODE FEATURES
    FED_ORIGIN GRES GROUP GROUP_ID HET_JOB_ID HET_JOB_ID_SET JOBARRAYID JOB_ID LAST_SCHED_EVAL LICENSES
    MAX_CPUS MAX_NODES MCS_LABEL MEM_PER_TRES MIN_CPUS MIN_MEMORY MIN_TIME MIN_TMP MIN_TMP_DISK NICE
    ORIGIN OVERSUBSCRIBE OVER_SUBSCRIBE PARTITION PREEMPT_TIME PREFER PRIORITY PROFILE QOS REASON REBOOT
    REQ_NODES REQ_SWITCH REQUEUE RESERVATION RESIZE_TIME RESTARTS RESTART_COUNT S:C:T SCHEDNODES
    SCHED_NODES SELECT_JOBINFO SHARED SIBLINGS_ACTIVE SIBLINGS_VIABLE SIGNAL SOCKETS_PER_BOARD
    SOCKETS_PER_NODE START_TIME STDERR STDIN STDOUT SUBMIT_TIME SYSTEM_COMMENT THREADS THREADS_PER_CORE
    TIME TIME_LEFT TIME_LIMI TIME_LIMIT TIME_USED TRES_ALLOC TRES_BIND TRES_FREQ TRES_PER_JOB
    TRES_PER_NODE TRES_PER_SOCKET TRES_PER_TASK USER USER_ID WAIT4SWITCH WCKEY WORK_DIR""",
)

#: Keys of a job in `squeue --json` and `scontrol show job --json`.
JSON: Mapping[str, Fate] = _table(
    used="job_id name job_state nodes node_count cpus tasks cpus_per_task tasks_per_node job_resources",
    noted="tasks_per_board tasks_per_core tasks_per_socket het_job_offset",
    label="""account accrue_time admin_comment allocating_node array_job_id array_max_tasks array_task_id
    array_task_string association_id batch_features batch_flag batch_host billable_tres burst_buffer
    burst_buffer_state cluster cluster_features command comment container container_id contiguous
    core_spec cores_per_socket cpu_frequency_governor cpu_frequency_maximum cpu_frequency_minimum
    cpus_per_tres cron current_working_directory deadline delay_boot dependency derived_exit_code
    eligible_time end_time exclusive excluded_nodes exit_code extra failed_node features
    federation_origin federation_siblings_active federation_siblings_viable flags gres_detail group_id
    group_name het_job_id het_job_id_set hold job_size_str last_sched_evaluation licenses
    licenses_allocated mail_type mail_user max_cpus max_nodes maximum_switch_wait_time mcs_label
    memory_per_cpu memory_per_node memory_per_tres minimum_cpus_per_node minimum_switches
    minimum_tmp_disk_per_node network nice oversubscribe partition power preempt_time preemptable_time
    pre_sus_time prefer priority priority_by_partition profile qos reboot requeue required_nodes
    required_switches resize_time restart_cnt resv_name scheduled_nodes segment_size selinux_context
    shared show_flags sockets_per_board sockets_per_node standard_error standard_input standard_output
    start_time state_description state_reason stderr_expanded stdin_expanded stdout_expanded step_id
    submit_line submit_time suspend_time system_comment thread_spec threads_per_core time_limit
    time_minimum tres_alloc_str tres_bind tres_freq tres_per_job tres_per_node tres_per_socket
    tres_per_task tres_req_str user_id user_name wckey""",
)

#: Keys of `scontrol show job` and `scontrol show job -d`.
SCONTROL: Mapping[str, Fate] = _table(
    used="""JobId JobName JobState NodeList NumNodes NumCPUs NumTasks CPUs/Task Nodes CPU_IDs NtasksPerN:B:S:C""",
    noted="HetJobOffset",
    label="""AccrueTime Account AdminComment AllocNode:Sid AllocTRES ArrayJobId ArrayTaskId ArrayTaskThrottle
    BatchFeatures BatchFlag BatchHost BurstBuffer BurstBufferState ClusterFeatures Command Comment
    Container ContainerID Contiguous CoreSpec CpuFreqMax CpuFreqMin CronJob Deadline DelayBoot Dependency
    DerivedExitCode EligibleTime EndTime ExcMidplane ExcNodeList ExitCode Extra Features FedOrigin
    FedViableSiblings FedActiveSiblings GRES Gres GroupId GRES_IDX HetJobId HetJobIdSet JOB_GRES
    KillOInInvalidDependent KillOnInvalidDependent LastSchedEval Licenses LicensesAlloc MailType MailUser
    MCS_label Mem MemPerTres MinCPUsNode MinMemoryCPU MinMemoryNode MinTmpDiskNode Network Nice
    OverSubscribe Partition Power PreemptEligibleTime PreemptTime Prefer PreSusTime Priority Profile QOS
    Reason Reboot ReqB:S:C:T ReqNodeList ReqSwitches ReqTRES Requeue Reservation ResizeTime Restarts
    RunTime SchedNodeList Scheduler SecsPreSuspend SegmentSize SELinuxContext Shared Socks/Node StartTime
    StdErr StdIn StdOut StepMgrEnabled SubmitLine SubmitTime Switches SystemComment SuspendTime
    ThreadSpec TimeLimit TimeMin TRES TresBind TresFreq TresPerJob TresPerNode TresPerSocket TresPerTask
    UserId WCKey WorkDir""",
)

#: Headers of `sinfo`.
SINFO: Mapping[str, Fate] = _table(
    used="NODELIST HOSTNAMES NODE_LIST STATE PARTITION AVAIL",
    noted="STATECOMPLETE",
    label="""ACTIVE_FEATURES ALLOCMEM ALLOCNODES AVAIL_FE AVAIL_FEATURES CLUSTER COMMENT CORES CPUS CPUS(A/I/O/T)
    CPU_LOAD DEFAULTTIME EXTRA FREE_MEM GRES GRES_USED GROUPS JOB_SIZE MAX_CPUS_PER_NODE MEMORY NODEADDR
    NODES NODES(A/I) NODES(A/I/O/T) OVERSUBS PORT PREEMPT_MODE PRIO_JOB_FACTOR PRIO_TIER PRIORITY REASON
    RESERVATION ROOT S:C:T SHARE SOCKETS THREADS TIMELIMIT TIMESTAMP TMP_DISK USER VERSION WEIGHT""",
)
