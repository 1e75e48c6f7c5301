import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpClient, PlatformMethods } from '@firn/rpc/client'

const { NODE_URL = 'http://127.0.0.1:9650', INTERVAL_MS = '2000' } = process.env
const subnetId = process.argv[2] ?? '11111111111111111111111111111111LpoYY' // the Primary Network

const platform = createHttpClient(PlatformMethods, { url: NODE_URL, path: '/ext/bc/P' })

/** Returns the weights of the validators by NodeID. */
async function readWeights(height: bigint) {
  const nodes = await platform.call('platform.getValidatorsAt', { height, subnetID: subnetId })
  return new Map([...nodes].map(([nodeId, { weight }]) => [nodeId, weight]))
}

let { height } = await platform.call('platform.getHeight')
let before = await readWeights(height)
console.log(`${before.size} validators of ${subnetId} at height ${height}`)

for (;;) {
  await sleep(Number(INTERVAL_MS))
  const latest = await platform.call('platform.getHeight')
  if (latest.height === height) continue
  height = latest.height
  const now = await readWeights(height)
  for (const nodeId of new Set([...before.keys(), ...now.keys()])) {
    const [old, weight] = [before.get(nodeId), now.get(nodeId)]
    if (old === undefined) console.log(`${height}  ${nodeId} joined with weight ${weight}`)
    else if (weight === undefined) console.log(`${height}  ${nodeId} left, its weight was ${old}`)
    else if (old !== weight) console.log(`${height}  ${nodeId} changed its weight from ${old} to ${weight}`)
  }
  before = now
}
