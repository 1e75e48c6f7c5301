// This script stores a recorded network in a folder, block by block, and prints a line after each block.
// Tests kill the process while it runs.
import { Store } from '../Store.ts'
import { Writer } from '../Writer.ts'
import { follow, load } from './recordings.ts'

async function run(folder: string): Promise<void> {
  const { genesis, constants, chains } = load('local')
  const store = await Store.open({ folder })
  await store.migrate()
  const { writer, state } = await Writer.open(store, genesis, constants)
  for (const block of follow(state, chains)) {
    await writer.commit([block])
    process.stdout.write(`${block.chain}\n`)
  }
  await store.close()
}

void run(process.argv[2] ?? '')
