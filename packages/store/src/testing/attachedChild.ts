// This script attaches to a folder, writes in a transaction that it never ends, and then prints a line. Tests
// kill the process at that point.
import { Store } from '../Store.ts'

async function run(folder: string): Promise<void> {
  const store = await Store.open({ folder, attach: true })
  await store.driver.transaction(async (session) => {
    await session.query('insert into mark values (2)')
    process.stdout.write('open\n')
    await new Promise((resolve) => setTimeout(resolve, 3_600_000))
  })
}

void run(process.argv[2] ?? '')
