/**
 * Loaded into the processes the demo and the tests start (`node --require`). When the starter is gone, even killed,
 * its side of the channel closes: then this process ends too, instead of holding its port for ever.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// A listener alone would keep the process alive after its work is done.
process.channel?.unref();
