// A program of a user who installed the packages: compiled with strict settings, then run by each runtime. Its
// arguments are the names of further modules to import.
import { SecretKey, Signature } from '@firn/bls'
import { NodeId } from '@firn/codec'
import { NetworkGenesis } from '@firn/genesis-data'
import { PrivateKey, PublicKey, StakingCertificate } from '@firn/keys'
import { createClient, InfoMethods } from '@firn/rpc'
import { PlatformTx } from '@firn/txs'
import { avax } from '@firn/wallet'

function assert(condition: boolean, claim: string): void {
  if (!condition) throw new Error(`it is not true that ${claim}`)
}

const message = new TextEncoder().encode('what the validators sign')
const secretKey = SecretKey.random()
const signature = Signature.sign(secretKey, message)
assert(Signature.verify(SecretKey.publicKey(secretKey), message, signature), 'a BLS signature is valid')

const node = StakingCertificate.create({ now: new Date() })
const nodeId = NodeId.format(StakingCertificate.nodeId(node.der))
assert(NodeId.format(NodeId.parse(nodeId)) === nodeId, 'a NodeID is the same after parsing')

const privateKey = PrivateKey.parse('PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN')
assert(PublicKey.address(PrivateKey.publicKey(privateKey)).length === 20, 'an address has 20 bytes')

const { allocations } = await NetworkGenesis.readConfig(5)
assert(allocations.length > 0, 'Fuji has allocations')
assert(avax('1.5') === 1_500_000_000n, '1.5 AVAX are 1,500,000,000 nAVAX')
try {
  PlatformTx.decode(new Uint8Array(3))
  assert(false, 'a transaction of three bytes is rejected')
} catch (error) {
  assert(error instanceof Error && error.message !== '', 'the rejection has a message')
}
assert(typeof createClient === 'function' && InfoMethods !== undefined, 'there is a client')

for (const name of process.argv.slice(2)) await import(name)
console.log(`imported ${process.argv.length - 2}`)
process.exit()
