import { createDataApi } from '@firn/data-api'
import type { EvmStore } from '@firn/evm-store'
import { explain, listening } from '@firn/sql/testing'
import { get } from './DataApiLists.ts'
import type { Plan, Plans } from './DataApiPlans.ts'
import { pagesOf, questions } from './EvmLists.ts'

/**
 * Sends each request for a chain with the given number of rows, and returns the query plans of its SQL
 * statements.
 */
export async function plansOf(store: EvmStore, node: string, rows: number): Promise<Plans> {
  const heard = listening(store)
  const service = await createDataApi({
    chains: [{ store: heard.store, nodes: [node] }],
    host: '127.0.0.1',
    port: 0,
    limits: undefined,
    aggregateStatus: 200,
    timeoutMs: 60_000,
    answerCacheBytes: 0,
    version: '0',
  })
  try {
    const plans = new Map<string, Record<string, readonly Plan[]>>()
    for (const [, path] of await questions(service.url, rows)) {
      const pages: Record<string, readonly Plan[]> = {}
      for (const [page, one] of Object.entries(await pagesOf(service.url, path))) {
        heard.take()
        await get(service.url + one)
        const all: Plan[] = []
        for (const statement of heard.take()) {
          all.push({ statement: statement.text, plan: await explain(store, statement, true) })
        }
        pages[page] = all
      }
      plans.set(path, pages)
    }
    return plans
  } finally {
    await service.close()
  }
}
