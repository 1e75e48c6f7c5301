import { createHttpClient, PlatformMethods } from '@firn/rpc/client'

const { NODE_URL = 'http://127.0.0.1:9650', DAYS = '7', WEBHOOK_URL } = process.env
const subnetId = process.argv[2]
if (subnetId === undefined) throw new Error('pass the subnet id of an L1 as argument')
/** Percentage of the weight that must sign a Warp message. */
const QUORUM = 67n

const platform = createHttpClient(PlatformMethods, { url: NODE_URL, path: '/ext/bc/P' })
const { validators } = await platform.call('platform.getCurrentValidators', { subnetID: subnetId })
const { price } = await platform.call('platform.getValidatorFeeState')

// A validator pays a fee per second. Without a balance it is inactive: it can't sign, but its weight still counts.
const needed = price * BigInt(Math.ceil(Number(DAYS) * 86_400))
let [total, safe] = [0n, 0n]
const lines: string[] = []
for (const one of validators) {
  if (!('validationID' in one)) continue
  total += one.weight
  if (one.balance >= needed) safe += one.weight
  const days = (Number(one.balance / price) / 86_400).toFixed(1)
  lines.push(`${one.nodeID}  weight ${one.weight}  balance for ${days} days`)
}
if (total === 0n) throw new Error(`${subnetId} is not an L1`)

const isAtRisk = safe * 100n < total * QUORUM
const verdict = `${safe} of ${total} can sign for ${DAYS} more days, the quorum is ${QUORUM} %`
console.log([...lines, `${isAtRisk ? 'AT RISK' : 'ok'}  ${verdict}`].join('\n'))

if (isAtRisk) {
  process.exitCode = 1
  const text = `L1 ${subnetId}: ${verdict}. Increase the balances of its validators.`
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  }
  if (WEBHOOK_URL !== undefined) await fetch(WEBHOOK_URL, init)
}
