import { createClient } from '@firn/client'
import { createValidatorSource } from '@firn/rpc/client'
import { verifyMessage } from '@firn/warp'
import { sendSampleMessage } from './sendSampleMessage.ts'

const {
  NODE_URL = 'http://127.0.0.1:9650',
  AGGREGATOR_URL = 'http://127.0.0.1:8080',
  NETWORK = 'local',
} = process.env
const message = process.argv[2] ?? (await sendSampleMessage(NODE_URL))

// 1. The aggregator collects the signatures of the source chain's validators.
const { signatureAggregator } = createClient({ url: AGGREGATOR_URL })
const { signedMessage } = await signatureAggregator.aggregateSignatures({ network: NETWORK, message })
console.log(`signed message   ${signedMessage}`)

// 2. A node knows the validators, so nobody has to trust the aggregator. The quorum is 67 % of the weight, as the Warp
// precompile requires it.
const result = await verifyMessage(signedMessage, createValidatorSource({ url: NODE_URL }))
console.log(`validators       of subnet ${result.subnetId} at height ${result.height}`)
if (!result.ok) throw new Error(`not valid: ${result.code}, ${result.reason}`)
console.log(
  `valid            ${result.signers.length} signers with ${result.signedWeight} of ${result.totalWeight}`,
)
