import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/**
 * `npm run bench [-- part of a path …]`: runs all bench files of the workspace, or only those whose path
 * contains one of the given words.
 */
const words = process.argv.slice(2).filter((word) => word !== '--')
const files = globSync('{packages,services,tools}/*/src/**/*.bench.ts', { cwd: root })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()
if (files.length === 0) {
  console.error(
    `no bench file has a path that contains ${words.join(' or ')}; run without words to run all bench files`,
  )
  process.exit(1)
}
for (const file of files) {
  console.log(`\n${file}`)
  const code = await runFile(resolve(root, file))
  if (code !== 0) process.exitCode = 1
}

function runFile(file: string): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', resolve(import.meta.dirname, 'file.ts'), file],
    {
      stdio: 'inherit',
      cwd: root,
    },
  )
  return new Promise((settle) => child.on('close', (code) => settle(code ?? 1)))
}
