// The Data API for the EVM chain of the benchmark, alone: on the PostgreSQL URL or PGlite folder of the first
// argument, in the schema of the second, with the node of the third; `cold` as the fourth disables the answer
// cache.
import { createDataApi } from '@firn/data-api'
import { EvmStore } from '@firn/store/evm'
import { CHAIN } from './EvmFilling.ts'

async function main(database: string, schema: string, node: string, keeps: string): Promise<void> {
  const where = database.startsWith('postgres') ? { url: database } : { folder: database }
  const store = await EvmStore.open({
    ...where,
    schema,
    chainId: CHAIN.chainId,
    statementTimeoutMs: 60_000,
  })
  const { url } = await createDataApi({
    chains: [{ store, nodes: [node] }],
    host: '127.0.0.1',
    port: 0,
    limits: undefined,
    aggregateStatus: 200,
    timeoutMs: 60_000,
    ...(keeps === 'cold' ? { answerCacheBytes: 0 } : {}),
    version: '0',
  })
  process.stdout.write(`listens on ${url}\n`)
}

void main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '', process.argv[5] ?? '')
