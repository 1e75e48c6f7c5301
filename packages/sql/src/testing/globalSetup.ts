import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emptyCluster } from './emptyCluster.ts'

const tool = (name: string) => fileURLToPath(new URL(`../../../../tools/start/src/${name}`, import.meta.url))
/** Modules of every Node process that tests start. */
const PRELOADED = [tool('shortLived.mjs'), tool('bundled.mjs')].map((path) => `--import ${path}`).join(' ')

/**
 * Makes new test databases start from the dump of an empty cluster, and Node processes start from compiled sources, with
 * less optimization and fewer small garbage collections, including child processes of tests.
 */
export async function setup(): Promise<void> {
  process.env['FIRN_EMPTY_CLUSTER'] ??= await emptyCluster()
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'firn-compile-cache')
  const { NODE_OPTIONS = '' } = process.env
  process.env['NODE_OPTIONS'] = `${NODE_OPTIONS} ${PRELOADED} --max-semi-space-size=64`.trim()
}
