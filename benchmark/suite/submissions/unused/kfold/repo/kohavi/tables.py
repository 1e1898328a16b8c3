from sklearn.datasets import fetch_openml


def read(name):
    """Attributes as numbers (categories become codes) and the class; incomplete rows are left out."""
    frame = fetch_openml(name, version=1, as_frame=True).frame
    target = frame.columns[-1]
    frame = frame.dropna(axis=1, thresh=len(frame) // 2).dropna()
    for column in frame.columns:
        if frame[column].dtype.name in ("category", "object"):
            frame[column] = frame[column].astype("category").cat.codes
    y = frame.pop(target).to_numpy()
    return frame.to_numpy(dtype=float), y
