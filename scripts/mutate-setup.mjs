import { configureGlobal } from 'fast-check';
import { beforeEach } from 'vitest';

// That a property fails is enough to know here, and fewer tries can only make the score worse than it is: looking for
// the smallest example, and trying a hundred times what nobody notices, would take most of the time.
configureGlobal({ endOnFailure: true, numRuns: 25 });

// Code that counts which of its changes a test reaches is many times slower, so what measures time would measure that.
beforeEach(({ task, skip }) => skip(task.name.includes('linear time')));
