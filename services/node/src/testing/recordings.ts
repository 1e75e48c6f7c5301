import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { NodeRelease } from '@firn/codec'
import type { HttpExchange } from '@firn/node-api/testing'

/** Returns the recorded exchanges with a real node's API, in order, from `vectors/<name>.jsonl.gz`. */
export function recorded(name: string): readonly HttpExchange[] {
  const file = new URL(`../../vectors/${name}.jsonl.gz`, import.meta.url)
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as HttpExchange)
}

/** Returns a recorded response with the version that Firn claims, because the recorded node was older. For tests only. */
export function asClaimed(body: string): string {
  if (!/"rpcProtocolVersion"|"traceConfig"/.test(body)) return body
  const { major, minor, patch } = NodeRelease.CLAIMED
  return body
    .replaceAll('avalanchego/1.14.2', `avalanchego/${major}.${minor}.${patch}`)
    .replace('"evm":"v1.14.2"', `"evm":"v${major}.${minor}.${patch}"`)
    .replace('"rpcProtocolVersion":"45"', '"rpcProtocolVersion":"46"')
}
