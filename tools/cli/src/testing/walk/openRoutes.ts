import { needOf, type Server } from '../accessTable.ts'

const OPERATIONS = ['GET /health', 'GET /metrics']
/** Pages that cost no more than `/health`, which is open. */
const PAGES = ['GET /', 'GET /console/{asset}']
/** Every route, for servers that only operators reach. */
const ALL = ['*']

/**
 * Routes that answer every caller, however many requests it has sent. All other routes count their requests. For tests
 * only.
 */
export const OPEN: { readonly [S in Server]: readonly string[] } = {
  'data api': [...OPERATIONS, 'GET /v1/health-check', 'GET /v1/live-check'],
  'metrics api': [...OPERATIONS, 'GET /v2/health-check', 'GET /v2/live-check'],
  aggregator: [...OPERATIONS, ...PAGES],
  'aggregator metrics': ALL,
  'node api': ['POST /ext/health', 'GET /ext/health', 'POST /ext/metrics', 'GET /ext/metrics'],
  gateway: OPERATIONS,
  'indexer monitor': ALL,
}

/** Returns whether a route answers every caller. Operators are not limited either. For tests only. */
export function isOpen(server: Server, method: string, path: string): boolean {
  if (needOf(server, method, path) === 'operator') return true
  return OPEN[server].some((row) => row === '*' || row === `${method} ${path}`)
}
