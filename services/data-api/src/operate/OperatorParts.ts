import type { EvmStore } from '@firn/evm-store'
import type { Operators } from '@firn/operate'
import { CheckResults, type ServiceStore, UsageMetrics, type UsageStore } from '@firn/service-store'
import type { Store } from '@firn/store'
import type { Allowance } from '../http/endpoint/Caller.ts'
import { createKeyStore } from './KeyStore.ts'
import { readProgress } from './StoredProgress.ts'
import type { UsageCounts } from './UsageCounts.ts'

/** Sources of the data for operators. */
export interface PartsOptions {
  /** Store that contains the API keys. */
  readonly home: ServiceStore
  readonly store: Store | undefined
  readonly chains: readonly EvmStore[]
  readonly usage: UsageStore | undefined
  readonly counts: UsageCounts
  /** Returns what the indexers of this process report. */
  readonly indexed: () => readonly Operators.Progress[]
  readonly limits: { readonly anonymous: Allowance; readonly keyed: Allowance } | undefined
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

/** Returns the data of the Data API for operators. */
export function createParts(options: PartsOptions): Operators.Parts {
  const { home, store, chains, usage, counts, now } = options
  return {
    indexing: () => readProgress(options),
    doctor: async () => {
      const all = await Promise.all([
        ...(store === undefined ? [] : [results(store, 'Primary Network')]),
        ...chains.map((chain) => results(chain, `chain ${chain.chainId}`)),
      ])
      return all.flat()
    },
    limits: () => ({ limits: limitsOf(options.limits), limited: [] }),
    usage: async () => [...counts.list(), ...(usage === undefined ? [] : await gatewayUsage(usage, now))],
    keys: createKeyStore(home, now),
  }
}

async function results(store: ServiceStore, chain: string): Promise<readonly Operators.Examination[]> {
  return (await CheckResults.list(store)).map((row) => ({
    ...{ chain, kind: row.kind, finishedAt: Number(row.finished_at) },
    ...{ seconds: Number(row.milliseconds) / 1000, isComplete: row.is_complete },
    ...{ findingCount: row.finding_count, findings: [...row.findings] },
  }))
}

const UNITS = {
  unitsPerMinute: ['compute units', 'per minute'],
  unitsPerDay: ['compute units', 'per day'],
  rowsPerSecond: ['rows of expensive requests', 'per second'],
  concurrent: ['expensive requests in progress', 'at once'],
  streams: ['event streams', 'at once'],
} as const satisfies Readonly<Record<keyof Allowance, readonly [limit: string, unit: string]>>

function limitsOf(limits: PartsOptions['limits']): readonly Operators.Limit[] {
  if (limits === undefined) return []
  const of = (callers: string, allowance: Allowance) =>
    Object.entries(UNITS).flatMap(([name, [limit, unit]]) => {
      const value = allowance[name as keyof Allowance]
      return value === undefined ? [] : [{ service: 'data-api', callers, limit, value, unit }]
    })
  return [
    ...of('each address without a key', limits.anonymous),
    ...of('each key without separate limits', limits.keyed),
  ]
}

const DAY_SECONDS = 86_400n
/** Number of bypass tokens whose methods are listed separately. */
const MAX_TOKENS = 50
const MAX_ROWS = 1_000

/** Returns the requests to gateways in the last day, by bypass token and method. */
async function gatewayUsage(usage: UsageStore, now: () => number): Promise<readonly Operators.Usage[]> {
  const to = BigInt(Math.ceil(now() / 1000))
  const query = { interval: 'hourly', from: to - DAY_SECONDS, to, limit: MAX_ROWS } as const
  const tokens = await UsageMetrics.read(usage, { ...query, groupBy: 'rlBypassToken' })
  const names = [...new Set(tokens.map(({ group }) => group))].slice(0, MAX_TOKENS)
  const lists = names.map(async (key) => {
    const sums = await UsageMetrics.read(usage, { ...query, groupBy: 'rpcMethod', token: key })
    const methods = Map.groupBy(sums, ({ group }) => group)
    return [...methods].map(([method, some]) => {
      const total = (read: (one: UsageMetrics.UsageSum) => bigint) =>
        Number(some.reduce((sum, one) => sum + read(one), 0n))
      const requests = total((one) => one.requests)
      return {
        ...{ service: 'gateway', key, method, requests },
        errors: requests - total((one) => one.successes),
        units: total((one) => one.credits),
      }
    })
  })
  return (await Promise.all(lists)).flat()
}
