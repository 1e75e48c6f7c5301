#!/usr/bin/env node
import { main } from './Main.ts'

await main(process.argv.slice(2))
