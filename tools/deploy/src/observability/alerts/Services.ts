import type { Alert } from '../Alert.ts'

/** Alerts of all services. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'ServiceDown',
    severity: 'critical',
    expr: 'up == 0',
    for: '2m',
    summary: '{{ $labels.job }} at {{ $labels.instance }} does not respond to Prometheus.',
    meaning: 'The process has ended, hangs, or cannot be reached. Other replicas continue to serve.',
    steps: [
      'Read the last lines of its log and its exit status.',
      'Run `firn health --url http://<host>:<port>/health` on its machine.',
      'Compare its address with `deploy/prometheus/prometheus.yaml`.',
    ],
    fires: {
      'up{job="data-api",instance="a:8700"}': '0+0x60',
    },
    silent: {
      'up{job="data-api",instance="a:8700"}': '1+0x60',
    },
  },
  {
    name: 'EventLoopBlocked',
    severity: 'warning',
    expr: 'nodejs_eventloop_lag_p99_seconds > 0.5',
    for: '10m',
    summary: '{{ $labels.job }} at {{ $labels.instance }} answers late: its event loop is blocked.',
    meaning: 'One request in a hundred waits half a second before the process looks at it.',
    steps: [
      'Compare processor time with the requests per second on the dashboard: add replicas if both are high.',
      'Look for other processes that use the processors of the machine.',
      'Record a profile: `firn node --api-admin-enabled` serves one at `/ext/admin`.',
    ],
    fires: {
      'nodejs_eventloop_lag_p99_seconds{job="data-api",instance="a:8700"}': '0.8+0x60',
    },
    silent: {
      'nodejs_eventloop_lag_p99_seconds{job="data-api",instance="a:8700"}': '0.02+0x60',
    },
  },
  {
    name: 'MemoryHigh',
    severity: 'warning',
    expr: 'process_resident_memory_bytes > 4e9',
    for: '15m',
    summary: '{{ $labels.job }} at {{ $labels.instance }} uses more than 4 GB of memory.',
    meaning: 'The process may be ended by the system when memory runs out.',
    steps: [
      'Compare `nodejs_heap_size_used_bytes` with the resident memory on the dashboard.',
      'Lower `FIRN_ANSWER_CACHE_BYTES`, or the limits of concurrent requests.',
      'Restart one replica after the other, and report the growth with its graph.',
    ],
    fires: {
      'process_resident_memory_bytes{job="data-api",instance="a:8700"}': '5000000000.0+0x60',
    },
    silent: {
      'process_resident_memory_bytes{job="data-api",instance="a:8700"}': '600000000.0+0x60',
    },
  },
  {
    name: 'FileDescriptorsHigh',
    severity: 'warning',
    expr: 'process_open_fds / process_max_fds > 0.8',
    for: '5m',
    summary: '{{ $labels.job }} at {{ $labels.instance }} has used 80 % of its file descriptors.',
    meaning: 'New connections fail when all descriptors are in use.',
    steps: [
      'Raise `LimitNOFILE` of the unit, or `ulimits` of the container.',
      'Look at the open connections: callers that never close them can be limited with `--connections-per-address` at the gateway.',
    ],
    fires: {
      'process_open_fds{job="gateway",instance="a:8702"}': '900+0x60',
      'process_max_fds{job="gateway",instance="a:8702"}': '1024+0x60',
    },
    silent: {
      'process_open_fds{job="gateway",instance="a:8702"}': '100+0x60',
      'process_max_fds{job="gateway",instance="a:8702"}': '1024+0x60',
    },
  },
]
