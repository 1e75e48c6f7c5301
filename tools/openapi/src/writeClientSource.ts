import { write } from './ClientSource.ts'

await write()
// The stores of the recorded chains would keep the process running.
process.exit()
