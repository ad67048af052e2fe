module.exports = requireNatively('n8n-workflow');
