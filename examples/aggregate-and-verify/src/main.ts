import { createClient } from '@firn/client'
import { Hex, Id } from '@firn/codec'
import { InfoMethods, PlatformMethods } from '@firn/rpc'
import { createHttpClient } from '@firn/rpc/client'
import { Quorum, SignedMessage, ValidatorSet, Verification } from '@firn/warp'
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
const signed = SignedMessage.decode(Hex.decodeAny(signedMessage))
console.log(`signed message   ${signedMessage}`)

// 2. A node knows the validators. Nobody has to trust the aggregator.
const info = createHttpClient(InfoMethods, { url: NODE_URL, path: '/ext/info' })
const platform = createHttpClient(PlatformMethods, { url: NODE_URL, path: '/ext/bc/P' })
const { networkID: networkId } = await info.call('info.getNetworkID')
const subnet = await platform.call('platform.validatedBy', { blockchainID: signed.unsigned.sourceChainID })
const { height } = await platform.call('platform.getProposedHeight')
const nodes = await platform.call('platform.getValidatorsAt', { height, subnetID: subnet.subnetID })
const validatorSet = ValidatorSet.fromNodeIds(nodes)
console.log(`validators       ${nodes.size} of subnet ${Id.format(subnet.subnetID)} at height ${height}`)

// 3. The quorum: 67 % of the weight, as the Warp precompile requires it.
const result = Verification.verify(signed, { networkId, validatorSet, quorum: Quorum.DEFAULT })
if (!result.ok) throw new Error(`not valid: ${result.code}, ${result.reason}`)
console.log(
  `valid            ${result.signers.length} signers with ${result.signedWeight} of ${result.totalWeight}`,
)
