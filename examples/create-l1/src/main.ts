import { SecretKey, Signer } from '@firn/bls'
import { createClient } from '@firn/client'
import { NodeId } from '@firn/codec'
import { avax, createWallet, L1Messages } from '@firn/wallet'
import { sendWarpMessage } from './sendWarpMessage.ts'

const {
  NODE_URL = 'http://127.0.0.1:9650',
  AGGREGATOR_URL = 'http://127.0.0.1:8080',
  NETWORK = 'local',
  // The key that owns the funds of every devnet. It is public: never send real funds to it.
  PRIVATE_KEY = 'PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN',
} = process.env

/** Makes up a node. Of your own nodes, `info.getNodeID` returns the NodeID and the signer. */
function createNode() {
  const nodeId = NodeId.format(crypto.getRandomValues(new Uint8Array(20)))
  return { nodeId, signer: Signer.create(SecretKey.random()) }
}

const wallet = createWallet({ url: NODE_URL, keys: [PRIVATE_KEY] })
const { blockchainIds } = await wallet.node.network()
const [first, second] = [createNode(), createNode()]

// 1. A subnet. A real L1 also creates its own chain here, with wallet.p.createChain.
const { subnetId } = await wallet.p.createSubnet({})
console.log(`subnet           ${subnetId}`)

// 2. The L1, with one validator. Its manager is this key's account on the C-chain; a real L1 has a contract instead.
await wallet.p.convertToL1({
  subnetId,
  chainId: blockchainIds.C,
  managerAddress: await wallet.address('C'),
  validators: [{ ...first, weight: 100n, balance: avax('1') }],
})
console.log(`L1               with the validator ${first.nodeId}`)

// 3. The manager sends the message that registers the second validator.
const registration = L1Messages.register({
  subnetId,
  nodeId: second.nodeId,
  publicKey: second.signer.publicKey,
  weight: 60n,
  expiry: BigInt(Math.floor(Date.now() / 1_000)) + 3_600n,
  remainingBalanceOwner: await wallet.address('P'),
})
const unsigned = await sendWarpMessage({ nodeUrl: NODE_URL, privateKey: PRIVATE_KEY, payload: registration })

// 4. The validators of the manager's chain sign the message, as soon as they have accepted it.
const { signatureAggregator } = createClient({ url: AGGREGATOR_URL })
const request = { network: NETWORK, message: unsigned, waitMs: 10_000 }
const { signedMessage: message } = await signatureAggregator.aggregateSignatures(request)
console.log(`signed message   ${message}`)

// 5. The P-chain verifies the message and registers the validator.
const { proofOfPossession } = second.signer
const { validationId } = await wallet.p.registerL1Validator({
  message,
  proofOfPossession,
  balance: avax('0.1'),
})
console.log(`registered       ${second.nodeId} as ${validationId}`)
