import { parentPort, workerData } from 'node:worker_threads'
import { ProofOfPossession, SecretKey } from '@firn/bls'

const jobs = workerData as readonly { readonly secretKey: Uint8Array; readonly message: Uint8Array }[]
for (const [index, { secretKey, message }] of jobs.entries()) {
  const { compressed } = ProofOfPossession.sign(SecretKey.decode(secretKey), message)
  parentPort?.postMessage({ index, signature: compressed })
}
