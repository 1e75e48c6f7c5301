import { startLocalNetwork } from './LocalNetwork.ts'
import { tour } from './tour.ts'

const network = await startLocalNetwork(AbortSignal.timeout(120_000))
try {
  const { txId, validationId } = await tour(network.options)
  console.log(`registered the validator ${validationId} in ${txId}`)
} finally {
  await network.close()
}
