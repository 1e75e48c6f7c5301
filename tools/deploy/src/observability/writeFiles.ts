import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../Repository.ts'
import { files } from './Files.ts'

for (const [path, text] of files()) {
  writeFileSync(join(ROOT, path), text)
  console.log(`wrote ${path}`)
}
