module.exports = requireNatively('n8n-core');
