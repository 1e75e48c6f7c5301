// Serves the Data API for the benchmark. The first argument is a PostgreSQL URL or PGlite folder, the second
// the schema. `cold` as the third argument disables the response cache.
import { createDataApi } from '@firn/data-api'
import { Store } from '@firn/store'

async function main(database: string, schema: string, keeps: string): Promise<void> {
  const where = database.startsWith('postgres') ? { url: database } : { folder: database }
  const store = await Store.open({ ...where, schema, statementTimeoutMs: 60_000 })
  const { url } = await createDataApi({
    store,
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

void main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '')
