// Prints a line for each failed test: its package, its name and the first line of the failure.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

for (const folder of ['packages', 'services', 'tools', 'examples']) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const result = join(folder, name, '.firn', 'vitest.json')
    if (!existsSync(result)) continue
    for (const file of JSON.parse(readFileSync(result, 'utf8')).testResults) {
      const failures = file.assertionResults.filter(({ status }) => status === 'failed')
      if (file.status === 'failed' && failures.length === 0)
        failures.push({ fullName: 'cannot be loaded', failureMessages: [file.message] })
      for (const { fullName, failureMessages } of failures) {
        const reason = failureMessages[0]?.split('\n')[0]
        console.log(`${folder}/${name} ${basename(file.name)}: ${fullName}: ${reason}`)
      }
    }
  }
}
