// Serves all services and the bare server for the walk, and reports the processor time of this process when asked.
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createBareServer } from './bareServer.ts'
import type { Ready } from './Door.ts'
import { openDoors } from './openDoors.ts'

async function main(): Promise<void> {
  const { doors, close } = await openDoors()
  const bare = createBareServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => bare.once('listening', resolve))
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
  process.on('message', async () => {
    // Work that was ready before the question is done before the answer.
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.once('disconnect', async () => {
    await close()
    process.exit()
  })
  process.send?.({ doors, bareUrl } satisfies Ready)
}

void main()
