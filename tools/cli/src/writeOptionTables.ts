import { writeFileSync } from 'node:fs'
import * as OptionTables from './OptionTables.ts'

for (const { path, text, expected } of await OptionTables.documents()) {
  if (text === expected) continue
  writeFileSync(path, expected)
  console.log(`rewrote the tables of options in ${path}`)
}
