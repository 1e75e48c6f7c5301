// Serves the Data API for an EVM chain of the benchmark. The first argument is a PostgreSQL URL or PGlite
// folder, the second the schema, the third the URL of a node. `cold` as the fourth argument disables the
// response cache.
import { createDataApi } from '@firn/data-api'
import { EvmStore } from '@firn/evm-store'
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
